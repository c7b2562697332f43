import { mean } from './deviation.ts'

/**
 * How alike neighbours in a series are, from −1 to 1: the correlation of each value with the next.
 * About zero (± 2/√n) for independent values; NaN for a constant series. Above 0.2, trials are too
 * short to count as independent. Source: Box & Jenkins, "Time Series Analysis", 2.1.
 */
export function autocorrelation(series: readonly number[]): number {
  const centre = mean(series)
  const from = series.map((value) => value - centre)
  const square = from.reduce((total, value) => total + value * value, 0)
  return from.slice(1).reduce((total, value, before) => total + value * from[before]!, 0) / square
}
