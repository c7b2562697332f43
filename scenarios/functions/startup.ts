import { type Context, check, type Reply } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { type Found, judgeLines, lineAround } from './_line.ts'
import { paidPlans, someOf } from './_plan.ts'
import { probeSource } from './_probing.ts'
import { ampleCpuMs } from './_stage.ts'
import { isInForce, type Versions, versions } from './_version.ts'
import { worked } from './_work.ts'

const plans = { free: ['free'], paid: paidPlans } as const
const documentedMs = 400
/** Limits that functions are given of their own, which are those of their requests alone. */
const [fewCpuMs, manyCpuMs] = [100, ampleCpuMs]

type Limited = { cpuMs?: number }

/** Deploys a version whose global scope does so much work, and says whether it runs. */
async function starts(
  { attempt }: Versions,
  { work, what, own }: { work: number; what: string; own: Limited }
) {
  // What has started once a target may know to start: each question is a version of its own.
  const source = `${probeSource()}\nburn({ work: ${work} }) // ${what}\n`
  const env = { STARTUP: what }
  const trial = await attempt({ source, env, ...own }, { do: 'env', name: 'STARTUP' })
  return { ...trial, runs: isInForce(trial, what) }
}

/** Whether functions of a plan can have these limits: which can, and which, is not said. */
async function areTaken({ adapter }: Context, plan: FunctionPlan): Promise<boolean> {
  const { id: account } = await adapter.account(plan)
  for (const cpuMs of [fewCpuMs, manyCpuMs]) {
    const given = { account, name: 'limited', source: probeSource(), cpuMs }
    if (!(await adapter.deploy(given)).accepted) return false
  }
  return true
}

/** Whether functions of a plan have limits of their own: where it is drawn, in a quick run. */
async function waysOf(
  context: Context,
  { plan, isDrawn }: { plan: FunctionPlan; isDrawn: boolean }
): Promise<boolean[]> {
  const isQuick = context.tier === 'quick'
  if (isQuick && !isDrawn) return [false]
  const isOwn = await areTaken(context, plan)
  return isQuick ? [isOwn] : [false, ...(isOwn ? [true] : [])]
}

/**
 * Looks for the line on a plan, of functions without a limit of their own, or of such whose own is
 * less where they have to start and more where they must not.
 */
async function lookOn(
  context: Context,
  { plan, isOwn }: { plan: FunctionPlan; isOwn: boolean }
): Promise<Found[]> {
  const probe = await versions(context, plan)
  const worker = { edge: context.edge, ask: probe.ask }
  const replies: Reply[] = []
  const line = await lineAround(documentedMs, (ms) =>
    worked(worker, {
      ms,
      async act(work) {
        const what = `${replies.length} of ${context.random()}`
        const cpuMs = ms < documentedMs ? fewCpuMs : manyCpuMs
        const { reply, runs } = await starts(probe, { work, what, own: isOwn ? { cpuMs } : {} })
        replies.push(reply)
        return runs
      }
    })
  )
  if (line === undefined) return []
  const limited = isOwn ? `, requests having ${fewCpuMs} or ${manyCpuMs} ms of their own` : ''
  const of = `work in the global scope on plan ${plan}${limited}`
  return [{ line, of, replies: replies as [Reply] }]
}

export default check({
  title: 'The global scope of a function may take 400 ms of processor time, and not much more',
  clauses: Object.keys(plans).map((kind) => `limits.function.startup.${kind}`),
  needs: ['edge', 'account', 'deploy'],
  async run(context) {
    for (const [at, [kind, those]] of Object.entries(plans).entries()) {
      const lines: Found[] = []
      for (const plan of someOf(those, context))
        for (const isOwn of await waysOf(context, { plan, isDrawn: context.seed % 2 === at }))
          lines.push(...(await lookOn(context, { plan, isOwn })))
      const clause = `limits.function.startup.${kind}`
      judgeLines(context, { clause, documented: documentedMs, lines })
    }
  }
})
