import type { Client, RawRequest } from '../client/client.ts'
import type { Reply } from '../client/reply.ts'
import type { Clock } from '../clock.ts'
import { type Answer, accepted, improper, unclear } from './answer.ts'
import { against, type Baseline } from './baseline.ts'

/** Who is asked, with what question, and what the usual answer to it is. */
export type ConcurrencyQuestion = {
  client: Client
  question: RawRequest
  baseline: Baseline
  clock: Clock
}

/** For how long an answer may stay away before its request is taken to wait for others to end. */
const patienceMs = ({ slowestMs }: Baseline) => Math.max(2_000, 10 * slowestMs)

/** In how much more than the usual time whoever does not wait has answered. */
const waitingMs = 500

/** How long a request may be kept from ending. */
const timeoutMs = 60_000

/** Of one among many: who is not let in at all is refused as well. */
function judged(reply: Reply, baseline: Baseline): Answer {
  const isShutOut = reply.kind === 'refused' || reply.kind === 'timeout'
  return isShutOut ? improper(reply) : against(reply, baseline, { crowding: [], isSame: true })
}

/**
 * Keeps all but one of so many requests from ending, by holding back their last byte, and says
 * whether any of those was turned away, and what became of the one that was sent whole. When it is
 * answered only once the others are let go, it had to wait for them: that is a limit, though
 * nothing was refused. What becomes of those that are let go, all at once, says nothing of it.
 */
export async function askInCrowd(size: number, asking: ConcurrencyQuestion): Promise<Answer> {
  const { client, question, baseline, clock } = asking
  const release = Promise.withResolvers<void>()
  const others = Array.from({ length: size - 1 }, () => hold(client, question, release.promise))
  await Promise.all(others.map(({ held, reply }) => Promise.race([held, reply])))
  const early: Reply[] = []
  let isReleased = false
  for (const { reply } of others)
    reply.then((one) => {
      if (!isReleased) early.push(one)
    })
  const last = client.send({ ...question, timeoutMs })
  const settled = new AbortController()
  const silence = async () => {
    await clock.until(clock.now() + patienceMs(baseline), settled.signal)
    // A connection that many others were made beside may have been slow, and come for all that.
    await clock.until(clock.now() + 2 * patienceMs(baseline), settled.signal)
    return 'none' as const
  }
  const first = await Promise.race([
    ...others.map(({ reply }) => reply.then(() => 'one held back' as const)),
    last.then(() => 'the last' as const),
    silence()
  ])
  // Whoever answers before the last byte is there needs the time for it.
  if (first === 'the last') await clock.until(clock.now() + 2 * baseline.slowestMs)
  isReleased = true
  settled.abort()
  release.resolve()
  const [reply] = await Promise.all([last, ...others.map(({ reply }) => reply)])
  const answers = [...early, reply].map((one) => judged(one, baseline))
  const odd = answers.find(({ kind }) => kind !== 'accepted')
  if (odd) return odd
  if (first === 'none') return improper(reply, 'answered only once others had ended')
  if (early.length === 0) return accepted(reply)
  return unclear(reply, `answered before all of the request was there (${reply.because})`)
}

/** Whether a request is kept from ending by its last byte: some targets do not wait for it. */
export async function canBeHeld({
  client,
  question,
  baseline,
  clock
}: ConcurrencyQuestion): Promise<boolean> {
  const release = Promise.withResolvers<void>()
  const { held, reply } = hold(client, question, release.promise)
  await Promise.race([held, reply])
  const first = await Promise.race([
    reply.then(() => 'answered' as const),
    clock.until(clock.now() + 2 * baseline.slowestMs + waitingMs).then(() => 'held' as const)
  ])
  release.resolve()
  await reply
  return first === 'held'
}

/** A request whose last byte is not sent before it is released. */
export function hold(client: Client, question: RawRequest, released: Promise<unknown>) {
  const held = Promise.withResolvers<void>()
  const beforeLastByte = () => {
    held.resolve()
    return released
  }
  return { held: held.promise, reply: client.send({ ...question, timeoutMs, beforeLastByte }) }
}
