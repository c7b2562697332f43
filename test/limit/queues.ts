import type { Random } from '../../src/random.ts'
import type { Limiter } from './rate-limiters.ts'

/**
 * Holds so many tokens, and lets those wait for whom there is none, up to so many: as nginx does
 * with `limit_req burst=queue` and `delay=free`.
 */
export function leakyQueue({
  perSecond,
  free,
  queue
}: {
  perSecond: number
  free: number
  queue: number
}): Limiter {
  let [excess, then] = [0, Number.NEGATIVE_INFINITY]
  return (ms) => {
    const next = Math.max(0, excess - ((ms - then) * perSecond) / 1_000 + (then < 0 ? 0 : 1))
    if (next > queue) return false
    ;[excess, then] = [next, ms]
    return next <= free ? true : ((next - free) * 1_000) / perSecond
  }
}

/**
 * Takes all, and from so many in a window on each of them later, by as much or by ever more. With
 * `phaseMs` windows are those of the clock.
 */
export function slowDown({
  after,
  delayMs,
  windowMs,
  isGrowing,
  phaseMs
}: {
  after: number
  delayMs: number
  windowMs: number
  isGrowing: boolean
  phaseMs?: number | undefined
}): Limiter {
  let [start, count] = [Number.NEGATIVE_INFINITY, 0]
  return (ms) => {
    const isOver = ms >= start + windowMs
    const goneMs = phaseMs === undefined ? 0 : (ms + phaseMs) % windowMs
    if (isOver) [start, count] = [ms - goneMs, 0]
    const over = ++count - after
    return over <= 0 ? true : delayMs * (isGrowing ? over : 1)
  }
}

/** When a machine that stands still now and then, for up to 120 ms, goes on with what comes. */
export function standstills(next: Random): (ms: number) => number {
  const stalls: { from: number; to: number }[] = []
  for (let to = 0; to < 600_000; ) {
    const from = to - 250 * Math.log(1 - next())
    to = from + 120 * next() ** 2
    stalls.push({ from, to })
  }
  return (ms) => {
    let [low, high] = [0, stalls.length - 1]
    while (low < high) {
      const half = (low + high) >> 1
      if (stalls[half]!.to < ms) low = half + 1
      else high = half
    }
    const { from, to } = stalls[low]!
    return ms > from && ms < to ? to : ms
  }
}

/**
 * Lets one go on so long after the one before really did, as Bottleneck does with one at a time, on
 * a machine that stands still now and then: what is late makes all others later.
 */
export function chainedQueue(
  { everyMs, queue }: { everyMs: number; queue: number },
  next: Random
): Limiter {
  const over = standstills(next)
  let waiting: number[] = []
  let [last, ran] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  return (at) => {
    const ms = over(at)
    waiting = waiting.filter((one) => one > ms)
    if (waiting.length >= queue) return ms === at ? false : at - ms
    const due = Math.max(last + everyMs, ran, ms)
    const then = over(due)
    if (then > ms) waiting.push(then)
    ;[last, ran] = [due, then]
    return then > at ? then - at : true
  }
}
