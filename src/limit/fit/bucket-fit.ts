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

/** In how many steps it is tried how much sooner the first token came. */
export const soonestSteps = 16

/**
 * How much sooner than a period the first token has to have come in each round for a bucket by a
 * clock of its own to have decided so, as a part of a period; 1 where it came as late as may be.
 */
export function soonestParts(
  rounds: readonly (readonly AskedOnce[])[],
  burst: number,
  periods: readonly Span[]
): number[] {
  return rounds.map((round) => {
    for (let step = 0; step < soonestSteps; step++) {
      const isFit = (period: Span) => {
        return isBucket(round, burst, period, (step / soonestSteps) * period.to)
      }
      if (periods.some(isFit)) return step / soonestSteps
    }
    return 1
  })
}
