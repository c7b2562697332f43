import type { Channel, Context, Judge } from 'plimsoll'
import {
  type Command,
  fetching,
  outcomeOf,
  outcomesOf,
  repeat,
  series,
  waiting
} from './_command.ts'
import { askToLeave } from './_departure.ts'
import {
  anyProbe,
  type CallableServer,
  graceMs,
  openServer,
  type Probe,
  patienceMs
} from './_stage.ts'

/** What is judged by it. */
export const waitUntil30s = 'runtime.wait-until-30s'

const tickMs = 100
const fewTicks = 10
const looks = 5
/** Ticks for longer than anything here waits. */
const manyTicks = 1_000

/** Whether requests go on coming in. */
async function isTicking(channel: Channel): Promise<boolean> {
  // What had been sent before may still come in.
  await channel.until(() => false, graceMs)
  const { requests } = channel.seen()
  return channel.until((seen) => seen.requests > requests, 5 * graceMs)
}

/** Whether no more come in, soon: a target may take a moment to see that its clock was moved. */
async function isStill(channel: Channel): Promise<boolean> {
  for (let look = 0; look < looks; look++) if (!(await isTicking(channel))) return true
  return false
}

/**
 * Judges how long a promise handed to wait-until goes on once the client has gone: to its end, if
 * that is soon, and otherwise 30 seconds, for however long the client had stayed. `pass` lets so
 * many milliseconds go by on the target, `stayMs` before the client leaves; it must go on after 25
 * seconds, and be over `restMs` later.
 */
export async function judgeWaitUntil(
  context: Context & Judge,
  given: { pass: (ms: number) => Promise<unknown>; stayMs: number; restMs: number }
): Promise<void> {
  const { pass, stayMs, restMs } = given
  const probe = await anyProbe(context)
  await using server = await openServer(context)
  const begin = async (label: string, ticks: number, stay: () => unknown, answer: Command) => {
    const channel = server.channel(label)
    // What is handed over while another promise is waited for does not put the end off once more.
    const more = { do: 'waitUntil', of: { do: 'time' } }
    const of: Command = repeat(ticks, series(fetching(channel.url()), more, waiting(tickMs)))
    const command = series({ do: 'waitUntil', of }, answer)
    const client = await askToLeave(context.edge, probe, command)
    const hasBegun = await channel.until(({ requests }) => requests > 0, patienceMs)
    await stay()
    client.leave()
    // A target may take a moment to see that nobody is there any more.
    await channel.until(() => false, 2 * graceMs)
    return { channel, hasBegun }
  }
  // Who leaves has a part of an answer, or none.
  const part = { do: 'stream', bytes: manyTicks, dripMs: tickMs }
  const few = await begin('few', fewTicks, () => {}, part)
  const isDone = await few.channel.until(({ requests }) => requests === fewTicks, patienceMs)
  const many = await begin('many', manyTicks, () => pass(stayMs), waiting(10 * patienceMs))
  await pass(25_000)
  const isAlive = await isTicking(many.channel)
  await pass(restMs)
  const isOver = await isStill(many.channel)
  const reply = await probe.ask({ do: 'count' })
  if (!few.hasBegun) return judgeBegin(context, probe, server)
  if (!many.hasBegun) return
  const fates = [
    `what takes a second is ${isDone ? 'done' : 'cut off'}`,
    `after 25 s more it ${isAlive ? 'goes on' : 'is over'}`,
    `after ${25 + restMs / 1_000} s it ${isOver ? 'is over' : 'goes on'}`
  ]
  const saw = `once the client has gone: ${fates.join(', ')}`
  context.verify(waitUntil30s, { holds: isDone && isAlive && isOver, saw }, reply)
}

/** Judges, of a client that stays, whether what is handed to wait-until is begun at all. */
async function judgeBegin({ verify }: Judge, probe: Probe, server: CallableServer): Promise<void> {
  const [kept, other] = [server.channel('kept'), server.channel('other')]
  const plain = await probe.ask(fetching(other.url()))
  const of = fetching(kept.url())
  const reply = await probe.ask(series({ do: 'waitUntil', of }, fetching(other.url())))
  if (outcomeOf(plain)?.ok === undefined || outcomesOf(reply)[0]?.error !== undefined) return
  const holds = await kept.until(({ requests }) => requests > 0, patienceMs)
  // What begins here, and did not before, is slow, and nothing is known of how long it goes on.
  const saw = `what is handed to wait-until is never begun: ${reply.because}`
  if (!holds) verify(waitUntil30s, { holds, saw }, plain, reply)
}
