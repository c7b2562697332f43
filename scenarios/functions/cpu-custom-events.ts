import { type Context, check, type Look, matrix, summary } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { type Command, fetching, series } from './_command.ts'
import { areEnded } from './_overrun.ts'
import { oneOf } from './_plan.ts'
import { bindings, probeSource } from './_probing.ts'
import { graceMs, openServer, patienceMs } from './_stage.ts'
import { workPerMs } from './_work.ts'

const clause = 'runtime.custom-cpu-limit'
/** Which limits can be set is not said: the first of these that is taken is asked about. */
const choices = [10, 40, 100]
/** By how much events overrun it: of the smallest alone that is within what plan bundled has. */
const factor = 4

const kinds = ['scheduled', 'alarm', 'queue'] as const
const plans = ['unbound', 'standard'] as const
type Event = { kind: (typeof kinds)[number]; plan: FunctionPlan }

/** Has events overrun what their function was given, and sees whether that ends them. */
async function overrun(context: Context, { kind, plan }: Event): Promise<Look | undefined> {
  const { adapter, edge } = context
  const { id: account } = await adapter.account(plan)
  const given = { account, name: 'probe', source: probeSource(), bindings }
  const first = await adapter.deploy(given)
  if (!first.accepted) return undefined
  const ask = (command: Command) => edge.as(first.host).post('/', { json: command })
  const perMs = await workPerMs({ edge, ask })
  if (perMs === undefined) return undefined
  await using server = await openServer(context)
  const [begun, ended] = [server.channel('begun'), server.channel('ended')]
  for (const ownMs of plan === 'bundled' ? choices.slice(0, 1) : choices) {
    const burn = { do: 'burn', work: Math.round(factor * ownMs * perMs) }
    const all = series(fetching(begun.url()), burn, fetching(ended.url()))
    const env = { SCHEDULED: JSON.stringify(all), ALARM: JSON.stringify(all) }
    const said = await adapter.deploy({ ...given, env, consumes: ['probe'], cpuMs: ownMs })
    if (!said.accepted) continue
    const start = {
      scheduled: () => adapter.fire(said.id),
      alarm: (name: string) => ask({ do: 'state', name, of: { do: 'alarm', afterMs: 0 } }),
      queue: () => ask({ do: 'queue', call: 'send', args: [all] })
    }
    let round = 0
    const seen = await areEnded(async () => {
      const before = ended.seen().requests
      await start[kind](`${++round}`)
      if (!(await begun.until(({ requests }) => requests >= round, patienceMs))) return undefined
      // Who fires an event is told when that has ended.
      if (kind !== 'scheduled') await ended.until(({ requests }) => requests > before, graceMs)
      return ended.seen().requests === before
    })
    // What fails is tried again, which is not to go on.
    if (kind !== 'scheduled') await adapter.deploy(given)
    const asked = `${kind} on ${plan}, work of ${factor} times the ${ownMs} ms it was given`
    return seen && { asked, ...seen, reply: await ask({ do: 'count' }) }
  }
  return undefined
}

export default check({
  title: 'An event is ended at the limit of processor time that its function was given',
  clauses: [clause],
  // What is asked while an instance ends may be cut off.
  expectedReplies: [503, 'closed'],
  needs: ['edge', 'account', 'deploy', 'fire', 'reach'],
  async run(context) {
    const events: Event[] =
      context.tier === 'quick'
        ? [{ kind: 'scheduled', plan: oneOf(plans, context) }]
        : matrix({ kind: kinds, plan: ['bundled', ...plans] })
    const looks: Look[] = []
    for (const event of events) {
      const look = await overrun(context, event)
      if (look) looks.push(look)
    }
    const found = summary(looks)
    if (found) context.verify(clause, ...found)
  }
})
