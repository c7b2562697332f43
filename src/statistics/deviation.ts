import { median } from './quantile.ts'

/** The average of a sample; NaN for an empty one. */
export function mean(sample: readonly number[]): number {
  return sample.reduce((total, value) => total + value, 0) / sample.length
}

/** The standard deviation of the law a sample was drawn from, with n − 1; NaN below two values. */
export function standardDeviation(sample: readonly number[]): number {
  const centre = mean(sample)
  const squares = sample.reduce((total, value) => total + (value - centre) ** 2, 0)
  return Math.sqrt(squares / (sample.length - 1))
}

/**
 * The standard deviation judged by the median distance from the median, which a minority of wild
 * values cannot move; equal to `standardDeviation` in the long run under normal noise.
 */
export function robustDeviation(sample: readonly number[]): number {
  const centre = median(sample)
  return 1.482602218505602 * median(sample.map((value) => Math.abs(value - centre)))
}
