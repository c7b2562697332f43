import { sortedQuantile } from './quantile.ts'

/**
 * The averages of all pairs of a sample, each value with itself included, ascending: n(n+1)/2 of
 * them.
 */
export function walshAverages(sample: readonly number[]): Float64Array {
  const averages = new Float64Array((sample.length * (sample.length + 1)) / 2)
  let place = 0
  for (const [index, one] of sample.entries())
    for (let other = 0; other <= index; other++) averages[place++] = (one + sample[other]!) / 2
  return averages.sort()
}

/**
 * The centre of a sample: the median of its Walsh averages, NaN when it is empty. Assumes symmetry
 * about the centre; 29 % of the values may be arbitrarily wrong, and 95 % of the mean's efficiency
 * under normal noise is kept. Source: Hodges & Lehmann, Ann. Math. Statist. 34 (1963).
 */
export function hodgesLehmann(sample: readonly number[]): number {
  return sample.length === 0 ? NaN : sortedQuantile(walshAverages(sample), 0.5)
}
