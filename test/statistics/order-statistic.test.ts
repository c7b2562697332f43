import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  quantileInterval,
  quantileRanks,
  smallestSample
} from '../../src/statistics/order-statistic.ts'

fc.configureGlobal({ seed: 1 })

// Ranks for the median at 95 %: Conover, "Practical Nonparametric Statistics", table A3.
test.each([
  [6, 1, 6],
  [10, 2, 9],
  [20, 6, 15],
  [25, 8, 18]
])('the median of %i values is between those of rank %i and %i', (draws, low, high) => {
  expect(quantileRanks(draws, { q: 0.5, confidence: 0.95 })).toEqual({ low, high })
})

test.each([
  [0.9, 36],
  [0.95, 72],
  [0.99, 368],
  [0.999, 3688]
])('the %f quantile has an upper bound from %i values on', (q, draws) => {
  expect(smallestSample({ q, confidence: 0.95 })).toBe(draws)
  expect(quantileRanks(draws, { q, confidence: 0.95 }).high).toBe(draws)
  expect(quantileRanks(draws - 1, { q, confidence: 0.95 }).high).toBe(draws)
  const below = Array.from({ length: draws - 1 }, (_, value) => value)
  expect(quantileInterval(below, { q, confidence: 0.95 }).high).toBe(Infinity)
})

test('too few values bound the median on neither side', () => {
  const interval = quantileInterval([3, 1, 2, 5, 4], { q: 0.5, confidence: 0.95 })
  expect(interval).toEqual({ low: -Infinity, high: Infinity })
})

test('the interval is that of the ranks, in whatever order the sample comes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { minLength: 6, maxLength: 60 }), (sample) => {
      const ascending = [...sample].sort((one, other) => one - other)
      const { low, high } = quantileRanks(sample.length, { q: 0.5, confidence: 0.95 })
      const interval = quantileInterval(sample, { q: 0.5, confidence: 0.95 })
      expect(interval).toEqual({ low: ascending[low - 1], high: ascending[high - 1] })
    })
  )
})

test('more confidence moves the ranks outwards', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      (draws, q) => {
        const narrow = quantileRanks(draws, { q, confidence: 0.8 })
        const wide = quantileRanks(draws, { q, confidence: 0.99 })
        expect(wide.low).toBeLessThanOrEqual(narrow.low)
        expect(wide.high).toBeGreaterThanOrEqual(narrow.high)
      }
    )
  )
})
