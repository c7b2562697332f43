import { expect } from 'vitest'
import { type Distribution, percentileUs } from '../../src/load/figures/histogram.ts'

/** Holds a percentile against these values in milliseconds, as three digits may tell it. */
export function expectPercentile(
  told: Distribution,
  percent: number,
  values: readonly number[]
): void {
  const sorted = values.toSorted((one, other) => one - other)
  const exact = sorted[Math.ceil((percent / 100) * sorted.length) - 1]! * 1_000
  const us = percentileUs(told, percent)!
  expect(Math.abs(us - exact)).toBeLessThanOrEqual(Math.max(1, exact / 1_000))
}
