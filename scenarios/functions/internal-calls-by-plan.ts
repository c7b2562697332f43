import { check, type Reply } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { repeat, tallyOf } from './_command.ts'
import { functionPlans } from './_plan.ts'
import { askRested } from './_quota.ts'
import { ampleCpuMs, deployedOn, type Probe } from './_stage.ts'

const clause = 'limits.subrequests.internal.regardless-of-usage-model'
const most = 1_000
/** Clearly more than the other quota of the free plan, which is 50. */
const few = 80

/**
 * Calls on a plan: one more than there may be, but where the free plan has no more than its own
 * processor time, which is not enough for that.
 */
const attemptsOn = (plan: FunctionPlan, { cpuMs }: Probe) =>
  plan === 'free' && cpuMs === undefined ? few : most + 1

export default check({
  title: 'How often internal services may be called does not depend on the plan',
  clauses: [clause],
  tier: 'full',
  needs: ['edge', 'probe'],
  async run(context) {
    const of = { do: 'kv', call: 'get', args: ['plimsoll'] }
    const probes = await deployedOn(context, functionPlans, { cpuMs: ampleCpuMs })
    const replies: Reply[] = []
    const seen: string[] = []
    let holds = probes.length > 1
    for (const [plan, probe] of probes) {
      const attempts = attemptsOn(plan, probe)
      const reply = await askRested(probe, repeat(attempts, of), repeat(2, of))
      const tally = tallyOf(reply)
      if (tally === undefined) continue
      replies.push(reply)
      seen.push(`${plan}: ${tally.succeeded} of ${attempts}`)
      holds &&= tally.succeeded === Math.min(attempts, most)
    }
    if (replies.length < 2) return
    context.verify(clause, { holds, saw: seen.join(', ') }, replies[0]!, ...replies.slice(1))
  }
})
