import { type Context, check, type Judge } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { type Command, fetching, series } from './_command.ts'
import { probeSource } from './_probing.ts'
import { openServer } from './_stage.ts'
import { versions } from './_version.ts'
import { workPerMs } from './_work.ts'

const rounds = 20

/**
 * A plan's limit, or one of a function's own, and at how many times that its sides are asked about:
 * short work is inexact.
 */
type Limit = {
  clause: string
  plan: FunctionPlan
  limitMs: number
  isOwn?: boolean
  below: number
  beyond: number
}

const limits: readonly Limit[] = [
  {
    ...{ clause: 'limits.runtime.cpu.bundled.scheduled', plan: 'bundled' },
    ...{ limitMs: 50, below: 0.6, beyond: 2 }
  },
  // The row says no kind of event: the limit is that of all.
  {
    ...{ clause: 'limits.runtime.cpu.free', plan: 'free' },
    ...{ limitMs: 10, below: 0.3, beyond: 4 }
  },
  // Of a function, and so of all its events; whether it can be this one is not said.
  {
    ...{ clause: 'runtime.custom-cpu-limit', plan: 'standard', isOwn: true },
    ...{ limitMs: 100, below: 0.6, beyond: 2 }
  }
]

export default check({
  title:
    'A scheduled event may take 50 ms of processor time on plan bundled, 10 ms on plan free, and ' +
    'elsewhere what its function was given',
  clauses: limits.map(({ clause }) => clause),
  tier: 'full',
  needs: ['edge', 'account', 'deploy', 'fire', 'reach'],
  async run(context) {
    for (const limit of limits) await judge(context, limit)
  }
})

async function judge(
  context: Context & Judge,
  { clause, plan, limitMs, isOwn, ...times }: Limit
): Promise<void> {
  const { adapter } = context
  // What is measured is the machine, which a plan with little time would keep from that.
  const meter = await versions(context, 'bundled')
  const perMs = await workPerMs({ edge: context.edge, ask: meter.ask })
  if (perMs === undefined) return
  const { ask, account } = plan === 'bundled' ? meter : await versions(context, plan)
  await using server = await openServer(context)
  /** Fires so much work some times; resolves to how often it came to its end. */
  const fired = async (name: string, ms: number) => {
    const [begin, end] = [server.channel(`${name}-begin`), server.channel(`${name}-end`)]
    const work: Command = { do: 'burn', work: Math.round(ms * perMs) }
    const all = series(fetching(begin.url()), work, fetching(end.url()))
    const env = { SCHEDULED: JSON.stringify(all) }
    const own = isOwn ? { cpuMs: limitMs } : {}
    const said = await adapter.deploy({ account, name, source: probeSource(), env, ...own })
    if (!said.accepted) return undefined
    for (let round = 0; round < rounds; round++) await adapter.fire(said.id)
    return begin.seen().requests === rounds ? end.seen().requests : undefined
  }
  const [short, long] = [times.below * limitMs, times.beyond * limitMs]
  const below = await fired('below', short)
  const beyond = await fired('beyond', long)
  const reply = await ask({ do: 'count' })
  if (below === undefined || beyond === undefined) return
  const where = `${plan}${isOwn ? ` with ${limitMs} ms of its own` : ''}`
  const saw =
    `${where}: about ${short} ms of work: ${below} of ${rounds} events came to their end; ` +
    `about ${long} ms: ${beyond} of ${rounds}`
  context.verify(clause, { holds: below >= rounds - 1 && beyond <= rounds / 2, saw }, reply)
}
