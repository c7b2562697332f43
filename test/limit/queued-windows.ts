import type { Limiter, Size } from './rate-limiters.ts'

/** Takes so many in a window from the first on, and lets all others wait, up to so many. */
export function queuedWindow({
  limit,
  windowMs,
  queue = Number.POSITIVE_INFINITY
}: Omit<Size, 'phaseMs'> & { queue?: number }): Limiter {
  let [start, count] = [Number.NEGATIVE_INFINITY, 0]
  return (ms) => {
    // Who waits begins the next window as the one before ends.
    while (count > limit && ms >= start + windowMs) {
      start += windowMs
      count -= limit
    }
    if (ms >= start + windowMs) [start, count] = [ms, 0]
    if (count >= limit + queue) return false
    const windows = Math.floor(count++ / limit)
    return windows === 0 ? true : start + windows * windowMs - ms
  }
}

/** The same by a clock. */
export function queuedClock({ limit, windowMs, phaseMs }: Size): Limiter {
  let [window, count] = [Number.NEGATIVE_INFINITY, 0]
  return (ms) => {
    const current = Math.floor((ms + phaseMs) / windowMs)
    if (current > window) {
      count = Math.max(0, count - limit * (current - window))
      window = current
    }
    const windows = Math.floor(count++ / limit)
    return windows === 0 ? true : (window + windows) * windowMs - phaseMs - ms
  }
}

/**
 * One after another waits for a window and for a bucket of as many, as `limiter` of npm does: what
 * a window takes comes at once where the bucket is full, else as tokens do.
 */
export function queuedBoth({ limit, windowMs }: Omit<Size, 'phaseMs'>): Limiter {
  let [start, count, tokens, then, last] = [0, 0, limit, 0, 0]
  return (ms) => {
    let at = Math.max(ms, last)
    for (;;) {
      if (at >= start + windowMs) [start, count] = [at, 0]
      tokens = Math.min(limit, tokens + ((at - then) * limit) / windowMs)
      then = at
      if (count >= limit) at = start + windowMs
      else if (tokens < 1) at += Math.ceil(((1 - tokens) * windowMs) / limit)
      else break
    }
    tokens--
    count++
    last = at
    return at === ms ? true : at - ms
  }
}

/** Takes so many in any stretch as long as the window, and lets all others wait, up to so many. */
export function queuedLog({
  limit,
  windowMs,
  queue = Number.POSITIVE_INFINITY
}: Omit<Size, 'phaseMs'> & { queue?: number }): Limiter {
  const taken: number[] = []
  return (ms) => {
    if (taken.filter((at) => at > ms).length >= queue) return false
    const at = Math.max(ms, (taken.at(-limit) ?? Number.NEGATIVE_INFINITY) + windowMs)
    taken.push(at)
    return at === ms ? true : at - ms
  }
}

/**
 * The same by whole milliseconds, where those that came in the same one are let through one at a
 * time after a window, as `p-throttle` does.
 */
export function strictLog({ limit, windowMs }: Omit<Size, 'phaseMs'>): Limiter {
  let taken: number[] = []
  return (exactMs) => {
    const ms = Math.floor(exactMs)
    if (ms - (taken.at(-1) ?? ms) > windowMs) taken = []
    if (taken.length < limit) return taken.push(ms) > 0
    const [oldest, latest] = [taken[0]! + windowMs, taken.at(-1)!]
    const at = Math.max(ms, oldest > latest ? oldest : latest + Math.ceil(windowMs / limit))
    taken.shift()
    taken.push(at)
    return at === ms ? true : at - exactMs
  }
}

/** A limiter that was asked so many times in the 60 ms before it begins, as it always is. */
export function usedBefore(decide: Limiter, count: number): Limiter {
  for (let nth = 0; nth < count; nth++) decide(20 * (nth - count))
  return decide
}
