/** A quantile to be bounded, 0.99 for p99, and the two-sided confidence asked for. */
export type QuantileClaim = { q: number; confidence: number }

/**
 * The smallest sample in which a quantile has a finite upper bound: 368 for p99 at 95 %. In a
 * smaller one even its largest value may well lie below the quantile. Assumes independent draws, so
 * it is the least there can be. Source: David & Nagaraja, "Order Statistics", 7.1.
 */
export function smallestSample({ q, confidence }: QuantileClaim): number {
  return Math.ceil(Math.log((1 - confidence) / 2) / Math.log(q))
}
