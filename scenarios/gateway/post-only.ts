import { check } from 'plimsoll'
import { anyWay, commonDeparture, isDefect, resultOf } from './_way.ts'

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
    for (const method of ['get', 'put', 'patch', 'delete'] as const) {
      const reply = await way.over(method, { network })
      const saw = `${method.toUpperCase()}: ${reply.because}`
      // Who breaks down over a method has not turned it down.
      const holds = resultOf(reply) === undefined && !isDefect(reply)
      verify(clause, { holds, saw }, reply)
    }
  }
})
