import { check } from 'plimsoll'
import { probeSource } from './_probing.ts'
import { isInForce, type Versions, versions } from './_version.ts'
import { workPerMs } from './_work.ts'

const plans = { free: 'free', paid: 'bundled' } as const

/** Deploys a version whose global scope works for about so long, and says whether it runs. */
async function starts({ attempt }: Versions, { work, what }: { work: number; what: string }) {
  const source = `${probeSource()}\nburn({ work: ${Math.round(work)} })\n`
  const env = { STARTUP: what }
  const trial = await attempt({ source, env }, { do: 'env', name: 'STARTUP' })
  return { ...trial, runs: isInForce(trial, what) }
}

export default check({
  title: 'The global scope of a function may take 400 ms of processor time, and not much more',
  clauses: Object.keys(plans).map((kind) => `limits.function.startup.${kind}`),
  needs: ['edge', 'account', 'deploy'],
  async run(context) {
    for (const [kind, plan] of Object.entries(plans)) {
      const probe = await versions(context, plan)
      const perMs = await workPerMs({ edge: context.edge, ask: probe.ask })
      if (perMs === undefined) return
      for (const [ms, isAllowed] of [
        [100, true],
        [2_000, false]
      ] as const) {
        const what = `about ${ms} ms`
        const { reply, runs, refused } = await starts(probe, { work: ms * perMs, what })
        if (runs === undefined) return
        const fate = runs ? 'taken' : `refused: ${refused ?? 'the function does not answer'}`
        const clause = `limits.function.startup.${kind}`
        context.verify(clause, { holds: runs === isAllowed, saw: `${what}: ${fate}` }, reply)
      }
    }
  }
})
