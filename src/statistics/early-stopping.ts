import { binomialCdf } from './binomial.ts'

/** A quantile that is to lie within a bound, 0.99 for p99, and how many draws were beyond it. */
export type QuantileClaim = { q: number; beyond: number; confidence: number }

/**
 * The fewest draws that show a quantile to be within a bound: with fewer, so few beyond it could be
 * luck where the quantile is beyond it as well. For p99 at 99 %: 459 with none beyond, 2,010 with
 * ten. Assumes independent draws, so it is the least there can be. Source: the early stopping of
 * MLPerf's LoadGen.
 */
export function drawsNeeded({ q, beyond, confidence }: QuantileClaim): number {
  const shows = (draws: number) =>
    binomialCdf(beyond, { draws, probability: 1 - q }) <= 1 - confidence
  let enough = beyond + 1
  while (!shows(enough)) enough *= 2
  let tooFew = beyond
  while (enough - tooFew > 1) {
    const draws = Math.floor((tooFew + enough) / 2)
    if (shows(draws)) enough = draws
    else tooFew = draws
  }
  return enough
}
