import { check, type Reply } from 'plimsoll'
import { judgeLine, lineAround } from './_line.ts'
import { oneOf, paidPlans } from './_plan.ts'
import { probeSource } from './_probing.ts'
import { isInForce, type Versions, versions } from './_version.ts'
import { worked } from './_work.ts'

const plans = { free: ['free'], paid: paidPlans } as const
const documentedMs = 400

/** Deploys a version whose global scope does so much work, and says whether it runs. */
async function starts({ attempt }: Versions, { work, what }: { work: number; what: string }) {
  // What has started once a target may know to start: each question is a version of its own.
  const source = `${probeSource()}\nburn({ work: ${work} }) // ${what}\n`
  const env = { STARTUP: what }
  const trial = await attempt({ source, env }, { do: 'env', name: 'STARTUP' })
  return { ...trial, runs: isInForce(trial, what) }
}

export default check({
  title: 'The global scope of a function may take 400 ms of processor time, and not much more',
  clauses: Object.keys(plans).map((kind) => `limits.function.startup.${kind}`),
  needs: ['edge', 'account', 'deploy'],
  async run(context) {
    for (const [kind, those] of Object.entries(plans)) {
      const probe = await versions(context, oneOf(those, context))
      const worker = { edge: context.edge, ask: probe.ask }
      const replies: Reply[] = []
      const line = await lineAround(documentedMs, (ms) =>
        worked(worker, {
          ms,
          async act(work) {
            const what = `${replies.length} of ${context.random()}`
            const { reply, runs } = await starts(probe, { work, what })
            replies.push(reply)
            return runs
          }
        })
      )
      if (line === undefined) return
      const clause = `limits.function.startup.${kind}`
      const of = 'work in the global scope'
      const evidence = replies as [Reply]
      judgeLine(context, { clause, documented: documentedMs, line, of, replies: evidence })
    }
  }
})
