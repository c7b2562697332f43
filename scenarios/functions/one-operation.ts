import { check, isOk } from 'plimsoll'
import { patienceMs } from './_stage.ts'

const clause = 'limits.runtime.memory.unbound-standard'

/** Sorts 48 MB of numbers in one operation, in the midst of which nothing of a function answers. */
const source = `
export default {
  fetch() {
    const numbers = new Float64Array(6_000_000)
    for (let at = 0, next = 1; at < numbers.length; at++) {
      next = (next * 48_271) % 2_147_483_647
      numbers[at] = next
    }
    numbers.sort()
    return new Response(numbers.every((one, at) => at === 0 || numbers[at - 1] <= one) && 'sorted')
  }
}`

export default check({
  title: 'A function that is long in one operation, and within its limits, comes to its end',
  clauses: [clause],
  tier: 'full',
  // Who is taken for one that uses too much is cancelled.
  expectedReplies: [503, 'closed'],
  needs: ['edge', 'account', 'deploy'],
  async run({ adapter, edge, verify }) {
    const { id: account } = await adapter.account('standard')
    const said = await adapter.deploy({ account, name: 'sorting', source })
    if (!said.accepted) return
    const reply = await edge.as(said.host).get('/', { timeoutMs: 4 * patienceMs })
    const holds = isOk(reply) && reply.body === 'sorted'
    verify(clause, { holds, saw: `48 MB sorted in one operation: ${reply.because}` }, reply)
  }
})
