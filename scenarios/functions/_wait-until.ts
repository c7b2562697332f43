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
/** Ticks for longer than anything here waits. */
const manyTicks = 1_000
/** Nothing comes any more where nothing came for so long. */
const stillMs = 5 * graceMs
const mostMs = 30_000
/** From so long after the client has gone on every tick is seen. */
const seenFromMs = 28_500
/** So much sooner may the last tick come, and so much later may the end be noticed. */
const [soonerMs, laterMs] = [1_200, 1_200]

/** Moves the target's time on by so many milliseconds, and tells it. */
type Pass = (ms: number) => Promise<number>

/**
 * Watches requests come in until none does any more, or for too long. Tells when the last one had
 * come by, if one did, and when none did any more.
 */
async function watched(
  channel: Channel,
  { probe, pass, until }: { probe: Probe; pass: Pass; until: number }
): Promise<{ last?: number; over?: number }> {
  let last: number | undefined
  while (last === undefined || last < until) {
    const { requests } = channel.seen()
    const isNew = ({ requests: seen }: { requests: number }) => seen > requests
    if (!(await channel.until(isNew, stillMs))) {
      const over = (await pass(0)) - stillMs
      // Where all stood still meanwhile, as on a busy machine, that shows nothing.
      await probe.ask({ do: 'count' })
      if (!isNew(channel.seen())) return { last, over }
    }
    last = await pass(0)
  }
  return { last }
}

/**
 * Judges how long a promise handed to wait-until goes on once the client has gone: to its end, if
 * that is soon, and otherwise 30 seconds, when the client had stayed for `stayMs` before.
 */
export async function judgeWaitUntil(
  context: Context & Judge,
  { pass, stayMs }: { pass: Pass; stayMs: number }
): Promise<void> {
  const probe = await anyProbe(context)
  await using server = await openServer(context)
  const handed = (of: Command): Command => ({ do: 'waitUntil', of })
  // A promise that is handed over beside another one, and kept or broken, neither puts the end off
  // once more nor brings it about.
  const [kept, broken] = [handed({ do: 'time' }), handed({ do: 'throw', message: 'broken' })]
  const begin = async (label: string, ticks: number, wrap: (of: Command) => Command) => {
    const channel = server.channel(label)
    const tick = [fetching(channel.url()), waiting(tickMs)]
    const of = repeat(ticks, [series(kept, ...tick), series(broken, ...tick)])
    const client = await askToLeave(context.edge, probe, wrap(of))
    const hasBegun = await channel.until(({ requests }) => requests > 0, patienceMs)
    return { channel, hasBegun, ...client }
  }
  const held = (answer: Command) => (of: Command) => series(kept, handed(of), broken, answer)
  // Who leaves has a part of an answer, or none.
  const part = { do: 'stream', bytes: manyTicks, dripMs: tickMs }
  const many = await begin('many', manyTicks, held(waiting(10 * patienceMs)))
  // When the target sees that a client has gone is told by what nobody holds.
  const plain = await begin('plain', manyTicks, (of) => of)
  await pass(stayMs)
  // What is held hands over, once the answer has ended or the client has gone, what follows it.
  const twice = (of: Command) => series(of, handed(of))
  const ended = await begin('ended', fewTicks / 2, (of) => handed(twice(of)))
  const few = await begin('few', fewTicks / 2, (of) => held(part)(twice(of)))
  await few.heard
  const left = await pass(0)
  for (const one of [many, plain, few]) one.leave()
  const isDone = ({ channel }: typeof few) =>
    channel.until(({ requests }) => requests === fewTicks, patienceMs)
  const [{ over: missed = left }, ...done] = await Promise.all([
    watched(plain.channel, { probe, pass, until: left + patienceMs }),
    isDone(few),
    isDone(ended)
  ])
  ended.leave()
  await pass(Math.max(0, left + seenFromMs - (await pass(0))))
  const until = missed + mostMs + laterMs
  const { last = 0, over } = await watched(many.channel, { probe, pass, until })
  const reply = await probe.ask({ do: 'count' })
  if (!few.hasBegun) return judgeBegin(context, probe, server)
  if (!many.hasBegun) return
  const fates = [
    `what takes a second is ${done[0] ? 'done' : 'cut off'}`,
    `behind an answer that has ended ${done[1] ? 'too' : 'it is cut off'}`,
    last === 0
      ? `nothing goes on after ${seenFromMs / 1_000} s`
      : `something goes on for ${((last - left) / 1_000).toFixed(1)} s`,
    over === undefined ? 'and is not over' : 'and is over'
  ]
  const holds = done.every(Boolean) && last >= left + mostMs - soonerMs && over !== undefined
  const saw = `once the client has gone: ${fates.join(', ')}`
  context.verify(waitUntil30s, { holds, saw }, reply)
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
