import { expect, test } from 'vitest'
import { root } from '../../src/statistics/root.ts'

test.each([
  ['a smooth function', (x: number) => x * x - 2, { low: 0, high: 2 }, Math.SQRT2],
  ['a jump', (x: number) => (x < 0.3 ? -1 : 1), { low: 0, high: 1 }, 0.3],
  ['a function that is above zero from the start', (x: number) => x + 1, { low: 0, high: 1 }, 0],
  ['a function that stays below zero', (x: number) => x - 5, { low: 0, high: 1 }, 1]
])('%s', (_, rising, interval, expected) => {
  expect(root(rising, interval)).toBeCloseTo(expected, 15)
})
