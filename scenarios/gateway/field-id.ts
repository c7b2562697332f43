import { check } from 'plimsoll'
import { quoted } from '../_reply.ts'
import { anyWay, commonDeparture, isAboutService, isResponse } from './_way.ts'

const clause = 'gateway.request.field.id'

/** Integers that differ in the bits they need, as far as every JSON parser keeps them. */
const ids = [1, 0, 7, -12, 2_147_483_648, 9_007_199_254_740_991]

export default check({
  title: 'The field id is an integer, and the response has the same',
  clauses: [clause],
  needs: ['gateway'],
  async run({ gateway, credentials, verify }) {
    const asking = { gateway, credentials }
    const found = await anyWay(asking)
    if (!found) return
    const isTaken = (await commonDeparture(asking)) !== clause
    for (const id of ids) {
      const ask = (id: number) => found.way.ask({ network: found.network, id })
      let reply = await ask(id)
      // An answer to another call may have come in between, but not whenever this one is asked.
      for (let again = 0; again < 2 && isResponse(reply) && reply.json.id !== id; again++) {
        await ask(ids.find((other) => other !== id)!)
        reply = await ask(id)
      }
      // The same call has been answered under another number: what is none now is for this one.
      if (isAboutService(reply)) continue
      const got = isResponse(reply) ? quoted(reply.json.id) : `no response, ${reply.because}`
      const holds = isTaken && isResponse(reply) && reply.json.id === id
      verify(clause, { holds, saw: `sent ${id}, got ${got}` }, reply)
    }
  }
})
