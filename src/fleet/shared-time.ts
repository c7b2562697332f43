import type { Redis } from 'ioredis'
import type { Clock } from '../clock.ts'

/** How far a machine's clock is from the one that all machines of a fleet can ask. */
export type Offset = {
  /** What has to be added to this machine's time; milliseconds. */
  ms: number
  /** How far off that may be. */
  errorMs: number
}

/** When a question left, what the shared clock said, and when the answer was back. */
export type Glimpse = { sentMs: number; sharedMs: number; backMs: number }

/** So many glimpses are taken; the network delays some of them, and rarely all. */
const glimpses = 9

/**
 * The offset that glimpses of another clock show. The one that was fastest there and back bounds
 * the error: the answer was given at some moment in between (Cristian, Distributed Computing 3,
 * 1989).
 */
export function offsetOf(seen: readonly Glimpse[]): Offset {
  const span = ({ sentMs, backMs }: Glimpse) => backMs - sentMs
  const best = seen.reduce((fastest, next) => (span(next) < span(fastest) ? next : fastest))
  return { ms: best.sharedMs - (best.sentMs + best.backMs) / 2, errorMs: span(best) / 2 }
}

/** The time by the clock of a Redis, which all machines of a fleet can ask; in milliseconds. */
export async function sharedMs(redis: Pick<Redis, 'time'>): Promise<number> {
  const [seconds, microseconds] = await redis.time()
  return Number(seconds) * 1_000 + Number(microseconds) / 1_000
}

/** Asks for the shared time how far this machine's is from it. */
export async function measureOffset(
  shared: () => Promise<number>,
  clock: Pick<Clock, 'now'>
): Promise<Offset> {
  const seen: Glimpse[] = []
  for (let n = 0; n < glimpses; n++) {
    const sentMs = clock.now()
    const answer = await shared()
    seen.push({ sentMs, sharedMs: answer, backMs: clock.now() })
  }
  return offsetOf(seen)
}

/** A machine's offset, kept up to date. */
export type KeptOffset = {
  /** As it was found last. */
  offset(): Offset
  end(): void
}

/** Clocks drift apart by far less than a millisecond in so long. */
const renewEveryMs = 5_000

/** Measures the offset, and again every few seconds until it is ended. */
export async function keepOffset(
  shared: () => Promise<number>,
  clock: Pick<Clock, 'now'>
): Promise<KeptOffset> {
  let last = await measureOffset(shared, clock)
  const timer = setInterval(async () => {
    // Without an answer the last one still holds.
    last = await measureOffset(shared, clock).catch(() => last)
  }, renewEveryMs)
  timer.unref()
  return { offset: () => last, end: () => clearInterval(timer) }
}
