import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { autocorrelation } from '../../src/statistics/autocorrelation.ts'
import { remembering, series } from './noise.ts'

// Box & Jenkins, "Time Series Analysis", 2.1.4: the first ten batch yields, r₁ = −1497/1896 = −.79.
test('Box & Jenkins: −.79', () => {
  const yields = [47, 64, 23, 71, 38, 64, 55, 41, 59, 48]
  expect(autocorrelation(yields)).toBeCloseTo(-1497 / 1896, 12)
})

test.each([0, 0.5, 0.9])('a series that remembers %f', (memory) => {
  const values = series(20_000, remembering(memory, random(1)))
  expect(Math.abs(autocorrelation(values) - memory)).toBeLessThan(0.02)
})

test('it minds neither scale nor shift, and has no answer for a constant', () => {
  const values = [3, 1, 4, 1, 5, 9, 2, 6]
  const moved = values.map((value) => 7 - 2 * value)
  expect(autocorrelation(moved)).toBeCloseTo(autocorrelation(values), 12)
  expect(autocorrelation([2, 2, 2])).toBeNaN()
})
