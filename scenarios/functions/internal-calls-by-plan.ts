import { check, type Reply } from 'plimsoll'
import { repeat, tallyOf } from './_command.ts'
import { askRested } from './_quota.ts'
import { deployedOn } from './_stage.ts'

const clause = 'limits.subrequests.internal.regardless-of-usage-model'
/**
 * Calls on each plan: one more than there may be, but on the free plan, whose processor time is not
 * enough for that, clearly more than its other quota of 50.
 */
const attempts = { free: 80, bundled: 1_001, unbound: 1_001, standard: 1_001 }
const most = 1_000

export default check({
  title: 'How often internal services may be called does not depend on the plan',
  clauses: [clause],
  tier: 'full',
  needs: ['edge', 'probe'],
  async run(context) {
    const of = { do: 'kv', call: 'get', args: ['plimsoll'] }
    const probes = await deployedOn(context, Object.keys(attempts) as (keyof typeof attempts)[])
    const replies: Reply[] = []
    const seen: string[] = []
    let holds = probes.length > 1
    for (const [plan, probe] of probes) {
      const reply = await askRested(probe, repeat(attempts[plan], of), repeat(2, of))
      const tally = tallyOf(reply)
      if (tally === undefined) continue
      replies.push(reply)
      seen.push(`${plan}: ${tally.succeeded} of ${attempts[plan]}`)
      holds &&= tally.succeeded === Math.min(attempts[plan], most)
    }
    if (replies.length < 2) return
    context.verify(clause, { holds, saw: seen.join(', ') }, replies[0]!, ...replies.slice(1))
  }
})
