import { check, type Reply } from 'plimsoll'
import { repeat, type Tally, tallyOf } from './_command.ts'
import { functionPlans } from './_plan.ts'
import { ampleCpuMs } from './_quota.ts'
import { deployed } from './_stage.ts'

const clause = 'limits.subrequests.internal.regardless-of-usage-model'
const beyond = 1_001

export default check({
  title: 'How often internal services may be called does not depend on the plan',
  clauses: [clause],
  needs: ['edge', 'probe'],
  async run(context) {
    const of = { do: 'kv', call: 'get', args: ['plimsoll'] }
    const replies: Reply[] = []
    for (const plan of functionPlans) {
      const probe = await deployed(context, { plan, cpuMs: ampleCpuMs })
      replies.push(await probe.ask(repeat(beyond, of)))
    }
    const tallies = replies.map(tallyOf).filter((tally): tally is Tally => tally !== undefined)
    if (tallies.length < replies.length) return
    const counts = tallies.map(({ succeeded }) => succeeded)
    const saw = functionPlans.map((plan, index) => `${plan}: ${counts[index]} of ${beyond}`)
    const holds = new Set(counts).size === 1
    context.verify(clause, { holds, saw: saw.join(', ') }, replies[0]!, ...replies.slice(1))
  }
})
