import { expect, test } from 'vitest'
import { backoffMs } from '../../../src/load/transports/backoff.ts'
import { random } from '../../../src/random.ts'

test('without a failure there is no wait', () => {
  expect(backoffMs(0, random(1))).toBe(0)
})

test.each([
  [1, 10],
  [2, 20],
  [5, 160],
  [8, 1_000],
  [1_000_000, 1_000]
])('after %i failures: up to %i ms, and at least half of that', (failures, most) => {
  const next = random(1)
  const waits = Array.from({ length: 100 }, () => backoffMs(failures, next))
  expect(Math.max(...waits)).toBeLessThanOrEqual(most)
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(most / 2)
  expect(new Set(waits).size).toBeGreaterThan(90)
})
