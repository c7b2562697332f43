import { type Context, check } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { fetching, series } from './_command.ts'
import { probeSource } from './_probing.ts'
import { type CallableServer, openServer } from './_stage.ts'
import { versions } from './_version.ts'
import { workPerMs } from './_work.ts'

const clause = 'limits.runtime.cpu.unbound-standard.scheduled'
const plans = ['unbound', 'standard'] as const
/**
 * Much more than a request may take, even when it overruns, and far from 15 minutes, at which the
 * duration ends it anyway.
 */
const seconds = 200

/** Has an event on a plan do so much work: whether it began, and whether it came to its end. */
async function worked(
  context: Context,
  { plan, perMs, server }: { plan: FunctionPlan; perMs: number; server: CallableServer }
) {
  const { account } = await versions(context, plan)
  const [begin, end] = [server.channel(`begin ${plan}`), server.channel(`end ${plan}`)]
  const work = { do: 'burn', work: Math.round(seconds * 1_000 * perMs) }
  const command = series(fetching(begin.url()), work, fetching(end.url()))
  const env = { SCHEDULED: JSON.stringify(command) }
  const given = { account, name: 'scheduled', source: probeSource(), env }
  const said = await context.adapter.deploy(given)
  if (said.accepted) await context.adapter.fire(said.id)
  return { plan, hasBegun: begin.seen().requests > 0, isDone: end.seen().requests === 1 }
}

export default check({
  title: 'A scheduled event may take more processor time than a request on unbound and standard',
  clauses: [clause],
  tier: 'long',
  alone: ['everything'],
  needs: ['edge', 'account', 'deploy', 'fire', 'reach'],
  async run(context) {
    const { ask } = await versions(context, 'standard')
    const perMs = await workPerMs({ edge: context.edge, ask })
    if (perMs === undefined) return
    await using server = await openServer(context)
    // Side by side: it is no longer than for one of them.
    const all = plans.map((plan) => worked(context, { plan, perMs, server }))
    const events = await Promise.all(all)
    const reply = await ask({ do: 'count' })
    for (const { plan, isDone } of events.filter(({ hasBegun }) => hasBegun)) {
      const saw = `${plan}: about ${seconds} s of work ${isDone ? 'come' : 'do not come'} to an end`
      context.verify(clause, { holds: isDone, saw }, reply)
    }
  }
})
