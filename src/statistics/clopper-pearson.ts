import { binomialCdf, binomialTail } from './binomial.ts'
import type { Interval } from './interval.ts'
import { root } from './root.ts'

/** So many events among so many independent draws, and the confidence asked for. */
export type Count = { events: number; draws: number; confidence: number }

/** One-sided lower confidence bound for the probability of an event; see `clopperPearson`. */
export function lowerBound({ events, draws, confidence }: Count): number {
  if (events === 0) return 0
  const excess = (probability: number) =>
    binomialTail(events, { draws, probability }) - (1 - confidence)
  return root(excess, { low: 0, high: 1 })
}

/** One-sided upper confidence bound for the probability of an event; see `clopperPearson`. */
export function upperBound({ events, draws, confidence }: Count): number {
  if (events === draws) return 1
  const excess = (probability: number) =>
    1 - confidence - binomialCdf(events, { draws, probability })
  return root(excess, { low: 0, high: 1 })
}

/**
 * Two-sided interval for the probability of an event. Exact: it errs at most as often as stated,
 * for every true probability, if draws are independent. Source: Clopper & Pearson, Biometrika 26
 * (1934).
 */
export function clopperPearson({ events, draws, confidence }: Count): Interval {
  const each = { events, draws, confidence: (1 + confidence) / 2 }
  return { low: lowerBound(each), high: upperBound(each) }
}
