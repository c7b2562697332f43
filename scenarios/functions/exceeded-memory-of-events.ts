import { type Context, check, type Look, summary } from 'plimsoll'
import type { InvocationRecord } from './_capabilities.ts'
import { type Command, series } from './_command.ts'
import { tell } from './_events.ts'
import { oneOf } from './_plan.ts'
import { bindings, probeSource } from './_probing.ts'
import { recordOf } from './_records.ts'
import { type CallableServer, openServer, patienceMs } from './_stage.ts'

const clause = 'error.exceeded-memory-status'
const kinds = ['scheduled', 'alarm', 'queue'] as const
/** Far more than there may be. */
const megabytes = 400

/** The status of an event that uses so much, once it is cancelled; undefined where it is not. */
async function cancelled(
  context: Context,
  { kind, server }: { kind: InvocationRecord['kind']; server: CallableServer }
): Promise<Look | undefined> {
  const { adapter, edge } = context
  const channel = server.channel(kind)
  const as = oneOf(['buffer', 'heap'], context)
  const allocate = { do: 'allocate', megabytes, as }
  const fill = series(tell(channel, 'begun'), allocate, tell(channel, 'done'))
  const { id: account } = await adapter.account('standard')
  const env = { SCHEDULED: JSON.stringify(fill), ALARM: JSON.stringify(fill) }
  const given = { account, name: 'probe', source: probeSource(), env, bindings }
  const said = await adapter.deploy({ ...given, consumes: ['probe'] })
  if (!said.accepted) return undefined
  const ask = (command: Command) => edge.as(said.host).post('/', { json: command })
  if (kind === 'scheduled') await adapter.fire(said.id)
  if (kind === 'alarm') await ask({ do: 'state', name: 'one', of: { do: 'alarm', afterMs: 0 } })
  if (kind === 'queue') await ask({ do: 'queue', call: 'send', args: [fill] })
  await channel.until(({ requests }) => requests > 0, patienceMs)
  const record = await recordOf(context, { function: said.id, kind })
  const { order } = channel.seen()
  const reply = await ask({ do: 'count' })
  // What fails is tried again, and would be for long.
  await adapter.remove(said.id)
  if (record === undefined || order.includes('done') || !order.includes('begun')) return undefined
  const { status } = record
  const asked = `${kind}: ${megabytes} MB, as ${as}`
  const saw = `cancelled, with the status "${status}"`
  return { asked, holds: status === 'Exceeded Memory', saw, reply }
}

export default check({
  title: 'An event that is cancelled for its memory has the status Exceeded Memory, as requests do',
  clauses: [clause],
  tier: 'full',
  // What is asked while an instance ends may be cut off.
  expectedReplies: [503, 'closed'],
  needs: ['edge', 'account', 'deploy', 'remove', 'fire', 'invocations', 'reach'],
  async run(context) {
    await using server = await openServer(context)
    const looks: Look[] = []
    for (const kind of kinds) {
      const look = await cancelled(context, { kind, server })
      if (look) looks.push(look)
    }
    const seen = summary(looks)
    if (seen) context.verify(clause, ...seen)
  }
})
