import { binomialCdf, binomialTail } from './binomial.ts'
import type { Interval } from './interval.ts'

/** A quantile to be bounded, 0.99 for p99, and the two-sided confidence asked for. */
export type QuantileClaim = { q: number; confidence: number }

/**
 * The least whole number in an interval for which a condition holds; it must stay true from there
 * on.
 */
function least(holds: (value: number) => boolean, { low, high }: Interval): number {
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Ranks, counted from 1, of the two order statistics that enclose a quantile; `low` 0 or `high` n +
 * 1 says that the sample is too small to bound that side. They serve a histogram as well as a
 * sample. Assumes independent draws, which consecutive requests of one server are not: at a load of
 * 0.9 a nominal 95 % covers 8 %, so take trials as the unit of inference and this as a sanity
 * bound. Source: David & Nagaraja, "Order Statistics", 7.1.
 */
export function quantileRanks(draws: number, { q, confidence }: QuantileClaim): Interval {
  const below = { draws, probability: q }
  const miss = (1 - confidence) / 2
  const tooHigh = least((rank) => binomialCdf(rank - 1, below) > miss, { low: 1, high: draws + 1 })
  const high = least((rank) => binomialTail(rank, below) <= miss, { low: 1, high: draws + 1 })
  return { low: tooHigh - 1, high }
}

/**
 * Interval for a quantile of the law a sample was drawn from; what `quantileRanks` says holds here.
 */
export function quantileInterval(sample: Iterable<number>, claim: QuantileClaim): Interval {
  const ascending = Float64Array.from(sample).sort()
  const { low, high } = quantileRanks(ascending.length, claim)
  return { low: ascending[low - 1] ?? -Infinity, high: ascending[high - 1] ?? Infinity }
}

/** The smallest sample in which the quantile has a finite upper bound: 368 for p99 at 95 %. */
export function smallestSample({ q, confidence }: QuantileClaim): number {
  return Math.ceil(Math.log((1 - confidence) / 2) / Math.log(q))
}
