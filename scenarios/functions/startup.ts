import { check, type Reply } from 'plimsoll'
import { isAround, lineAround, lineInWords } from './_line.ts'
import { probeSource } from './_probing.ts'
import { isInForce, type Versions, versions } from './_version.ts'
import { workPerMs } from './_work.ts'

const plans = { free: 'free', paid: 'bundled' } as const
const documentedMs = 400

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
      const replies: Reply[] = []
      const line = await lineAround(documentedMs, async (ms) => {
        const perMs = await workPerMs({ edge: context.edge, ask: probe.ask })
        if (perMs === undefined) return undefined
        const { reply, runs } = await starts(probe, { work: ms * perMs, what: `about ${ms} ms` })
        replies.push(reply)
        return runs
      })
      if (line === undefined) return
      const saw = `of work in the global scope ${lineInWords(line, 'ms')}`
      const seen = { holds: isAround(line, documentedMs), saw }
      context.verify(`limits.function.startup.${kind}`, seen, ...(replies as [Reply]))
    }
  }
})
