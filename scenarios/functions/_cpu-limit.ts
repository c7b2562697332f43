import { check, type Scenario } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { judgeOverruns } from './_overrun.ts'
import { deployed } from './_stage.ts'

/** A check of how much processor time a request may take on a plan. */
export function cpuLimit(options: { clause: string; plan: FunctionPlan; ms: number }): Scenario {
  const { clause, plan, ms } = options
  return check({
    title: `A request may take ${ms} ms of processor time on plan ${plan}, and not much more`,
    clauses: [clause],
    expectedReplies: [503],
    needs: ['edge', 'probe'],
    async run(context) {
      const worker = { edge: context.edge, ...(await deployed(context, { plan })) }
      await judgeOverruns(context, { worker, clause, limitMs: ms })
    }
  })
}
