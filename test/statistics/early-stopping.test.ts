import { expect, test } from 'vitest'
import { binomialCdf } from '../../src/statistics/binomial.ts'
import { drawsNeeded } from '../../src/statistics/early-stopping.ts'

// The first four are those of MLPerf's LoadGen; without any beyond it is ln(1 − confidence)/ln q.
test.each([
  [0.99, 0, 459],
  [0.99, 1, 662],
  [0.99, 5, 1_307],
  [0.99, 10, 2_010],
  [0.5, 0, 7],
  [0.999, 0, 4_603]
])('q %f with %i beyond takes %i draws', (q, beyond, draws) => {
  expect(drawsNeeded({ q, beyond, confidence: 0.99 })).toBe(draws)
  const luck = (count: number) => binomialCdf(beyond, { draws: count, probability: 1 - q })
  expect(luck(draws)).toBeLessThanOrEqual(0.01)
  expect(luck(draws - 1)).toBeGreaterThan(0.01)
})
