import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clopperPearson, lowerBound, upperBound } from '../../src/statistics/clopper-pearson.ts'

fc.configureGlobal({ seed: 1 })

// Newcombe, Statistics in Medicine 17 (1998), table I, method 5.
test.each([
  [81, 263, 0.2527, 0.3676],
  [15, 148, 0.0578, 0.1617],
  [0, 20, 0, 0.1684],
  [1, 29, 0.0009, 0.1776]
])('%i of %i: %f to %f at 95 %%', (events, draws, low, high) => {
  const interval = clopperPearson({ events, draws, confidence: 0.95 })
  expect(interval.low).toBeCloseTo(low, 4)
  expect(interval.high).toBeCloseTo(high, 4)
})

// The "rule of three" and its continuation: the fewest draws that show at most 5 %, or 1 %.
test.each([
  [0, 59, 0.05],
  [1, 93, 0.05],
  [2, 124, 0.05],
  [3, 153, 0.05],
  [4, 181, 0.05],
  [0, 299, 0.01]
])('%i of %i shows at most %f, one draw fewer does not', (events, draws, most) => {
  expect(upperBound({ events, draws, confidence: 0.95 })).toBeLessThanOrEqual(most)
  expect(upperBound({ events, draws: draws - 1, confidence: 0.95 })).toBeGreaterThan(most)
})

test.each([
  [29, 29],
  [45, 46],
  [59, 61]
])('%i of %i shows at least 90 %%, one draw fewer does not', (events, draws) => {
  const bound = (out: number) =>
    lowerBound({ events: events - out, draws: draws - out, confidence: 0.95 })
  expect(bound(0)).toBeGreaterThanOrEqual(0.9)
  expect(bound(1)).toBeLessThan(0.9)
})

const counts = fc
  .integer({ min: 1, max: 500 })
  .chain((draws) => fc.record({ draws: fc.constant(draws), events: fc.nat(draws) }))

test('the interval holds the share seen, and counting the opposite mirrors it', () => {
  fc.assert(
    fc.property(counts, ({ events, draws }) => {
      const seen = clopperPearson({ events, draws, confidence: 0.95 })
      expect(seen.low).toBeLessThanOrEqual(events / draws)
      expect(seen.high).toBeGreaterThanOrEqual(events / draws)
      const opposite = clopperPearson({ events: draws - events, draws, confidence: 0.95 })
      expect(opposite.low).toBeCloseTo(1 - seen.high, 9)
      expect(opposite.high).toBeCloseTo(1 - seen.low, 9)
    })
  )
})

test('more confidence widens it', () => {
  fc.assert(
    fc.property(counts, (count) => {
      const narrow = clopperPearson({ ...count, confidence: 0.9 })
      const wide = clopperPearson({ ...count, confidence: 0.99 })
      expect(wide.low).toBeLessThanOrEqual(narrow.low)
      expect(wide.high).toBeGreaterThanOrEqual(narrow.high)
    })
  )
})
