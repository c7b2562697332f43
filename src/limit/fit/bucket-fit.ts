import type { Span } from '../rate-span.ts'
import type { AskedOnce, Fit } from './asked-once.ts'

/**
 * A token bucket. Its level is kept as the time at which it would be full, which so many tokens
 * move by exactly as many periods, so that what is not known of one decision does not add up.
 */
export const bucketFit: Fit = (asked, burst, period) => isBucket(asked, burst, period, 0)

/** A bucket whose tokens come by a clock of their own: the first may come up to a period sooner. */
export const tickedBucketFit: Fit = (asked, burst, period) => {
  return isBucket(asked, burst, period, period.to)
}

function isBucket(
  asked: readonly AskedOnce[],
  burst: number,
  period: Span,
  soonerMs: number
): boolean {
  let [from, to] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY]
  const least = (burst - 1) * period.from
  const most = (burst - 1) * period.to
  for (const { sent, answered, isAccepted } of asked) {
    if (isAccepted) {
      if (from > answered + most) return false
      to = Math.min(to, answered + most)
      from = Math.max(sent - soonerMs, from) + period.from
      to = Math.max(answered, to) + period.to
    } else {
      if (to <= sent + least) return false
      from = Math.max(from, sent + least)
    }
  }
  return true
}
