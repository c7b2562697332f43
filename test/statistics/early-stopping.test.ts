import fc from 'fast-check'
import { expect, test } from 'vitest'
import { objectiveShown, requestsNeeded } from '../../src/statistics/early-stopping.ts'

fc.configureGlobal({ seed: 1 })

const p99 = { share: 0.99, confidence: 0.99 }

// MLPerf inference, LoadGen early stopping: queries needed for p99 by how many were over the bound.
test.each([
  [0, 459],
  [1, 662],
  [5, 1307],
  [10, 2010]
])('with %i over the bound, %i requests are needed', (over, requests) => {
  expect(requestsNeeded(over, p99)).toBe(requests)
  expect(objectiveShown({ requests, over }, p99)).toBe('held')
  expect(objectiveShown({ requests: requests - 1, over }, p99)).toBe('undecided')
})

// P(X ≥ 3) of 20 draws at 1 % is .0010, P(X ≥ 2) is .0169.
test.each([
  [20, 2, 'undecided'],
  [20, 3, 'missed'],
  [20, 20, 'missed'],
  [0, 0, 'undecided'],
  [100_000, 900, 'held'],
  [100_000, 1000, 'undecided'],
  [100_000, 1100, 'missed']
])('%i requests, %i over: %s', (requests, over, expected) => {
  expect(objectiveShown({ requests, over }, p99)).toBe(expected)
})

test('one more over never helps, one more within never hurts', () => {
  const order = ['held', 'undecided', 'missed']
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), fc.nat(40), (requests, few) => {
      const over = Math.min(few, requests)
      const place = (count: { requests: number; over: number }) =>
        order.indexOf(objectiveShown(count, p99))
      const now = place({ requests, over })
      expect(place({ requests: requests + 1, over: over + 1 })).toBeGreaterThanOrEqual(now)
      expect(place({ requests: requests + 1, over })).toBeLessThanOrEqual(now)
    })
  )
})
