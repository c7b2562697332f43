import type { Channel, Context, Look } from 'plimsoll'
import { type Command, fetching } from './_command.ts'
import { bindings, probeSource } from './_probing.ts'
import { graceMs, patienceMs } from './_stage.ts'

/** A function that is started by events, in an account of its own. */
export type Startable = {
  function: string
  ask(command: Command): ReturnType<ReturnType<Context['edge']['as']>['post']>
}

/** A probe that tells the channel which event has started it: `scheduled NAME` or `alarm NAME`. */
export async function startable(
  { adapter, edge }: Context,
  { channel, name }: { channel: Channel; name: string }
): Promise<Startable> {
  const { id: account } = await adapter.account('standard')
  const telling = (kind: string) => JSON.stringify(tell(channel, `${kind} ${name}`))
  const said = await adapter.deploy({
    ...{ account, name: 'probe', source: probeSource(), bindings, consumes: ['probe'] },
    env: { SCHEDULED: telling('scheduled'), ALARM: telling('alarm') }
  })
  if (!said.accepted) throw new Error(`the probe was refused: ${said.because}`)
  const client = edge.as(said.host)
  const timeoutMs = 4 * patienceMs
  const ask = (command: Command) => client.post('/', { json: command, timeoutMs })
  return { function: said.id, ask }
}

/** Tells a channel something. */
export function tell(channel: Channel, name: string): Command {
  return fetching(channel.url({ name }))
}

/** Whether exactly these have come, each once and in any order, and nothing more soon after. */
export async function cameTo(
  channel: Channel,
  names: readonly string[]
): Promise<Pick<Look, 'holds' | 'saw'>> {
  await channel.until(({ requests }) => requests >= names.length, patienceMs)
  await channel.until(({ requests }) => requests > names.length, graceMs)
  const seen = channel.seen().order.toSorted().join(', ')
  return { holds: seen === names.toSorted().join(', '), saw: seen || 'nothing' }
}
