import type { Clock } from '../clock.ts'

/** Resolves when the next request may be sent; undefined where it may be sent at once. */
export type Spacing = () => Promise<void> | undefined

/** Lets every request through at once. */
export const unspaced: Spacing = () => undefined

/** Lets requests through at equal distances, at most so many a second; none are saved up. */
export function createSpacing(requestsPerSecond: number, clock: Clock): Spacing {
  let next = Number.NEGATIVE_INFINITY
  return () => {
    const due = Math.max(next, clock.now())
    next = due + 1_000 / requestsPerSecond
    return clock.until(due)
  }
}
