import { type Context, check, type Judge, type Reply } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { outcomeOf } from './_command.ts'
import { areEnded, judgeOverruns } from './_overrun.ts'
import { someOf } from './_plan.ts'
import { versions } from './_version.ts'
import { workPerMs } from './_work.ts'

const custom = 'runtime.custom-cpu-limit'
/** Which limits can be set is not said: who takes one of these has such limits. */
const choices = [40, 100, 250]

/** Far less than any plan has, and so much of it that all of it is within what each plan has. */
const [fewMs, workMs] = [10, 40]
/** Of so many replies each shows what the last ones show. */
const shown = 3

/** Judges roughly, on a plan, that a limit of a function's own is met before that of the plan. */
async function judgeOn(context: Context & Judge, plan: FunctionPlan) {
  const { ask, attempt } = await versions(context, plan)
  const { refused } = await attempt({ cpuMs: fewMs }, { do: 'count' })
  const perMs = await workPerMs({ edge: context.edge, ask })
  // Which functions can have which limit is not said.
  if (refused !== undefined || perMs === undefined) return
  const replies: Reply[] = []
  const { holds, saw } = (await areEnded(async () => {
    replies.push(await ask({ do: 'burn', work: Math.round(workMs * perMs) }))
    return outcomeOf(replies.at(-1)!) === undefined
  }))!
  const seen = { holds, saw: `${plan}: ${saw}; ${workMs} ms each, its own being ${fewMs}` }
  const [first, ...others] = replies.slice(-shown) as [Reply, ...Reply[]]
  context.verify(custom, seen, first, ...others)
}

export default check({
  title: 'A function can be given a limit of processor time of its own',
  clauses: [custom],
  expectedReplies: [503],
  needs: ['edge', 'account', 'deploy'],
  async run(context) {
    for (const plan of someOf(['bundled', 'unbound'] as const, context))
      await judgeOn(context, plan)
    const { ask, attempt, host } = await versions(context, 'standard')
    const worker = { edge: context.edge, ask, host, path: '/' }
    const refusals: string[] = []
    for (const cpuMs of choices) {
      const { refused, reply } = await attempt({ cpuMs }, { do: 'count' })
      if (refused === undefined)
        return judgeOverruns(context, { worker, clause: custom, limitMs: cpuMs })
      refusals.push(`${cpuMs} ms: ${refused}`)
      const saw = `each limit is refused: ${refusals.join('; ')}`
      if (refusals.length === choices.length) context.verify(custom, { holds: false, saw }, reply)
    }
  }
})
