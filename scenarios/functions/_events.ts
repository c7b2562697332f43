import { setTimeout as pause } from 'node:timers/promises'
import type { Channel, Context, Look, Reply } from 'plimsoll'
import { type Command, fetching, outcomeOf, series, waiting } from './_command.ts'
import { bindings, probeSource } from './_probing.ts'
import { graceMs, patienceMs } from './_stage.ts'

/** A function that is started by events, in an account of its own. */
export type Startable = {
  function: string
  account: string
  ask(command: Command): ReturnType<ReturnType<Context['edge']['as']>['post']>
}

/** The queue that every probe sends to, and one for others of its account to send to. */
export const queues = ['probe', 'second']

/**
 * A probe that tells the channel which event has started it: `scheduled NAME` or `alarm NAME`; with
 * an alarm it goes on for so long.
 */
export async function startable(
  { adapter, edge }: Context,
  { channel, name, alarmMs = 0 }: { channel: Channel; name: string; alarmMs?: number }
): Promise<Startable> {
  const { id: account } = await adapter.account('standard')
  const telling = (kind: string, ...more: Command[]) =>
    JSON.stringify(series(tell(channel, `${kind} ${name}`), ...more))
  const said = await adapter.deploy({
    ...{ account, name: 'probe', source: probeSource(), bindings, consumes: queues },
    env: { SCHEDULED: telling('scheduled'), ALARM: telling('alarm', waiting(alarmMs)) }
  })
  if (!said.accepted) throw new Error(`the probe was refused: ${said.because}`)
  const client = edge.as(said.host)
  const timeoutMs = 4 * patienceMs
  const ask = (command: Command) => client.post('/', { json: command, timeoutMs })
  return { function: said.id, account, ask }
}

/** Tells a channel something. */
export function tell(channel: Channel, name: string): Command {
  return fetching(channel.url({ name }))
}

const notes = 'came-'
/** What is kept may take a moment to be there for all, which is nobody's fault. */
const [looks, everyMs] = [6, 400]

/** Has whoever does it note for its account that something came, tell that, and do more. */
export function noting(channel: Channel, name: string, ...more: Command[]): Command {
  return series({ do: 'kv', call: 'put', args: [notes + name, '1'] }, tell(channel, name), ...more)
}

/** Whether exactly these were noted for the account of a function. */
export async function notedBy(of: Startable, names: readonly string[]): Promise<Noted> {
  for (let look = 1; ; look++) {
    const reply = await of.ask({ do: 'kv', call: 'list', args: [{ prefix: notes }] })
    const keys: { name: string }[] = outcomeOf(reply)?.ok?.keys ?? []
    const found = keys.map(({ name }) => name.slice(notes.length)).toSorted()
    const holds = `${found}` === `${names.toSorted()}`
    if (holds || look === looks) return { holds, saw: found.join(', ') || 'none', reply }
    await pause(everyMs)
  }
}

type Noted = { holds: boolean; saw: string; reply: Reply }

/** Whether exactly these have come, each once and in any order, and nothing more soon after. */
export async function cameTo(channel: Channel, names: readonly string[]): Promise<Seen> {
  await channel.until(({ requests }) => requests >= names.length, patienceMs)
  await channel.until(({ requests }) => requests > names.length, graceMs)
  return come(channel, names)
}

/** What has come so far, and whether it is exactly this. */
export type Seen = Pick<Look, 'holds' | 'saw'>

/** Whether exactly these have come so far. */
export function come(channel: Channel, names: readonly string[]): Seen {
  const seen = channel.seen().order.toSorted().join(', ')
  return { holds: seen === names.toSorted().join(', '), saw: seen || 'nothing' }
}
