import { binomialCdf, binomialTail } from './binomial.ts'
import type { Interval } from './interval.ts'

/** A quantile to be bounded, 0.99 for p99, and the two-sided confidence asked for. */
export type QuantileClaim = { q: number; confidence: number }

/** The least whole number in an interval from which on a condition holds. */
function least(holds: (value: number) => boolean, { low, high }: Interval): number {
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Ranks, counted from 1, of the two order statistics that enclose a quantile, for a sample or for a
 * histogram; a rank of 0 or of one past the last says that there are too few to bound that side.
 * Assumes independent draws, which consecutive requests of one server are not: there it promises
 * far too much (README), so that trials, not requests, are what to infer from. Source: David &
 * Nagaraja, "Order Statistics", 7.1.
 */
export function quantileRanks(draws: number, { q, confidence }: QuantileClaim): Interval {
  const below = { draws, probability: q }
  const miss = (1 - confidence) / 2
  const tooHigh = least((rank) => binomialCdf(rank - 1, below) > miss, { low: 1, high: draws + 1 })
  const high = least((rank) => binomialTail(rank, below) <= miss, { low: 1, high: draws + 1 })
  return { low: tooHigh - 1, high }
}

/** Interval for a quantile of the law a sample was drawn from; assumes as `quantileRanks`. */
export function quantileInterval(sample: Iterable<number>, claim: QuantileClaim): Interval {
  const ascending = Float64Array.from(sample).sort()
  const { low, high } = quantileRanks(ascending.length, claim)
  return { low: ascending[low - 1] ?? -Infinity, high: ascending[high - 1] ?? Infinity }
}

/** The smallest sample in which the quantile has a finite upper bound: 368 for p99 at 95 %. */
export function smallestSample({ q, confidence }: QuantileClaim): number {
  return Math.ceil(Math.log((1 - confidence) / 2) / Math.log(q))
}
