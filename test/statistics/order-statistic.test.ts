import { expect, test } from 'vitest'
import { smallestSample } from '../../src/statistics/order-statistic.ts'

test.each([
  [0.5, 6],
  [0.9, 36],
  [0.95, 72],
  [0.99, 368],
  [0.999, 3688]
])('the %f quantile has an upper bound from %i values on', (q, draws) => {
  expect(smallestSample({ q, confidence: 0.95 })).toBe(draws)
  // The chance that all of them are below the quantile, as they must not be for a bound.
  expect(q ** draws).toBeLessThanOrEqual(0.025)
  expect(q ** (draws - 1)).toBeGreaterThan(0.025)
})
