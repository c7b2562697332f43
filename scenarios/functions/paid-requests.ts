import { check, isOk } from 'plimsoll'
import { settle } from './_account.ts'
import { count, crowd } from './_crowd.ts'

const kinds = { bundled: ['bundled'], 'unbound-standard': ['unbound', 'standard'] } as const
const requests = 1_100

export default check({
  title: 'On a paid plan the requests of a minute are not limited',
  clauses: Object.keys(kinds).map((kind) => `limits.runtime.requests.${kind}`),
  tier: 'full',
  expectedReplies: [429],
  needs: ['edge', 'account', 'deploy'],
  async run(context) {
    for (const [kind, plans] of Object.entries(kinds)) {
      for (const plan of plans) {
        const { shared } = await settle(context, plan)
        const replies = await crowd(shared, requests)
        const served = count(replies, isOk)
        const odd = replies.find((reply) => !isOk(reply)) ?? replies.at(-1)!
        const saw = `${plan}: ${served} of ${requests} are served (${odd.because})`
        const clause = `limits.runtime.requests.${kind}`
        context.verify(clause, { holds: served === requests, saw }, odd)
      }
    }
  }
})
