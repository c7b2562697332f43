import type { Reply } from '../client/reply.ts'
import type { Clock } from '../clock.ts'
import { type AskedOnce, tickMs } from '../limit/fit/asked-once.ts'
import { unitOf } from '../limit/fit/fitting.ts'
import type { StatedLimiter } from '../limit/fit/stated-limiter.ts'

/** A limit on rates to be judged: its clause, how it is asked, and what the answers mean. */
export type LimiterAsked = StatedLimiter & {
  clause: string
  ask: () => Promise<Reply>
  /** Statuses of what is accepted and of what is refused, 0 for a connection that is closed. */
  accepted: number
  refused: number
}

/** How a round is asked, and the how manieth it is. */
export type RoundAsking = {
  /** Asks so many at once: how many of them are accepted, and how long all takes, in ms. */
  together: (count: number) => Promise<{ taken: number; tookMs: number }>
  clock: Clock
  nth: number
}

/** For how long at least it is asked until something is refused, in ms. */
const slowMs = 3_000

/** What a wait for the next acceptance may be off, in ms: an answer is on its way as well. */
const onTheWayMs = 10

/** How often one is waited for at most that comes alone, in ms. */
const leastGapMs = 4

/** How many are asked at once at most of a bucket that would fill while one after another is. */
const mostAtOnce = 16

/**
 * How soon the first question of a round has to be answered, as a part of the time in which a token
 * comes, and for how long that is tried, in ms: what a bucket holds is known no better than when
 * it was full.
 */
const prompt = { part: 0.5, forMs: 2_000 }

/** What was asked at once, as if one after another: which of it came first is not known. */
export function inOrder(all: readonly AskedOnce[]): AskedOnce[] {
  const taken = all.filter(({ isAccepted }) => isAccepted)
  const left = all.filter(({ isAccepted }) => !isAccepted)
  // A bucket's level only falls by what is taken, so that it is refused last if at all.
  const isBeside = taken.length > 0 && left.length > 0
  return [
    ...taken.toSorted((one, other) => one.answered - other.answered),
    ...left.map((one) => (isBeside ? { ...one, isBeside } : one))
  ]
}

/**
 * Asks a limiter after a rest until it refuses, and from then on for whatever comes back; returns
 * how many were accepted up to the first refusal.
 */
export function askRound(asked: LimiterAsked, asking: RoundAsking): Promise<number> {
  return asked.algorithm === 'token-bucket'
    ? bucketRound(asked, asking)
    : windowRound(asked, asking)
}

/** For one half, and a quarter of a window later for the other. */
async function windowRound(
  { algorithm, burst, windowMs }: LimiterAsked,
  { together, clock }: RoundAsking
): Promise<number> {
  const begun = clock.now()
  const isEnd = endOf({ burst, windowMs }, clock)
  const once = async () => (await together(1)).taken > 0
  const half = Math.floor(burst / 2)
  let count = 0
  while (count < half && (await once())) count++
  if (half > 0) await clock.until(begun + windowMs / 4)
  const end = begun + Math.max(slowMs, 2 * windowMs)
  while (!isEnd(count, end) && (await once())) count++
  const until = clock.now() + (algorithm === 'sliding-counter' ? 3 : 1.9) * windowMs
  while (clock.now() < until) {
    await clock.until(clock.now() + windowMs / 150)
    for (let again = 0; !isEnd(again, until) && (await once()); ) again++
  }
  return count
}

/** One after another; several at once where answers take so long that tokens come meanwhile. */
async function bucketRound(
  { algorithm, burst, windowMs }: LimiterAsked,
  { together, clock, nth }: RoundAsking
): Promise<number> {
  const everyMs = windowMs / burst
  const promptMs = prompt.part * (everyMs - 2 * tickMs)
  const lateMs = clock.now() + (promptMs > 0 ? prompt.forMs : 0)
  let first = await together(1)
  let tookMs = first.tookMs
  while (first.tookMs > promptMs && clock.now() < lateMs) {
    // It was one alone, and is back soon.
    await clock.until(clock.now() + 2 * everyMs)
    first = await together(1)
    tookMs += (first.tookMs - tookMs) / 4
  }
  const isEnd = endOf({ burst, windowMs }, clock)
  const untilRefused = async (count: number, end: number) => {
    while (!isEnd(count, end)) {
      const many = tookMs > everyMs / 3 ? Math.ceil((2 * tookMs) / everyMs) + 1 : 1
      const size = Math.min(mostAtOnce, many)
      const wave = await together(size)
      tookMs += (wave.tookMs - tookMs) / 8
      count += wave.taken
      if (wave.taken < size) break
    }
    return count
  }
  const begun = clock.now()
  const count = await untilRefused(first.taken, begun + Math.max(slowMs, 2 * windowMs))
  const unit = unitOf({ algorithm, burst, windowMs })
  // Of one alone the next is due so long after it was taken, so that each is seen on its own.
  const gapMs = burst === 1 ? Math.max(leastGapMs, (unit * everyMs) / 3) : everyMs / 8
  const offMs = 10 * (gapMs + Math.max(onTheWayMs, tookMs))
  // How fast it fills two rounds have shown, and what others still may is what it holds.
  const longMs = Math.min(longestMs, offMs / unit) / (nth < 2 ? 1 : 4)
  const until = clock.now() + Math.max(3 * everyMs, longMs)
  while (clock.now() < until) {
    await clock.until(clock.now() + gapMs)
    await untilRefused(0, until)
  }
  return count
}

/** For how long a bucket is asked after one refusal at most, in ms. */
const longestMs = 20_000

/** Tells who asks more slowly than all comes back: it is never refused, and that tells nothing. */
function endOf({ burst, windowMs }: Pick<StatedLimiter, 'burst' | 'windowMs'>, clock: Clock) {
  const begun = clock.now()
  return (count: number, until: number) => {
    const back = ((clock.now() - begun) * burst) / windowMs
    return count > 2 * burst + back || clock.now() >= until
  }
}
