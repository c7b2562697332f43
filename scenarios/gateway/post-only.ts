import { check } from 'plimsoll'
import { carried, isAboutCarriage } from '../_carried.ts'
import { quoted } from '../_reply.ts'
import { anyWay, commonDeparture, isAboutService, isDefect, resultOf } from './_way.ts'

const clause = 'gateway.post-only'

export default check({
  title: 'Calls are made with POST, and with nothing else',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, credentials, verify }) {
    const asking = { gateway, credentials }
    const found = await anyWay(asking)
    if (!found) return
    const { network, way } = found
    const posted = await way.ask({ network })
    const isTaken = (await commonDeparture(asking)) !== clause
    verify(clause, { holds: isTaken, saw: `POST: ${posted.because}` }, posted)
    for (const how of carried) {
      const reply = await way.ask({ network, ...how })
      if (isAboutCarriage(reply) || isAboutService(reply)) continue
      const saw = `POST with ${quoted(how)}: ${reply.because}, ${quoted(reply.json)}`
      verify(clause, { holds: resultOf(reply) !== undefined, saw }, reply)
    }
    for (const method of ['get', 'put', 'patch', 'delete'] as const) {
      const reply = await way.over(method, { network })
      const saw = `${method.toUpperCase()}: ${reply.because}`
      // Who breaks down over a method has not turned it down.
      const holds = resultOf(reply) === undefined && !isDefect(reply)
      verify(clause, { holds, saw }, reply)
    }
  }
})
