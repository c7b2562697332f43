import { expect, test } from 'vitest'
import { cusum } from '../../src/statistics/cusum.ts'
import { series } from './noise.ts'

// Montgomery, "Introduction to Statistical Quality Control", table 9.1, example 9.1: 20 values of
// mean 10, then 10 of mean 11; slack .5, threshold 5.
const montgomery = [
  9.45, 7.99, 9.29, 11.66, 12.16, 10.18, 8.04, 11.46, 9.2, 10.34, 9.03, 11.47, 10.51, 9.4, 10.08,
  9.37, 10.62, 10.31, 8.52, 10.84, 10.9, 9.33, 12.29, 11.5, 10.6, 11.08, 10.38, 11.62, 11.31, 10.52
]

test('Montgomery: an alarm at period 29, at 5.28, of a run of 7', () => {
  const { up, shift } = cusum(montgomery, { level: 10, sd: 1 })
  expect(shift).toEqual({ side: 'up', at: 28, since: 22 })
  const published = [1.79, 2.79, 2.89, 3.47, 3.35, 4.47, 5.28, 5.3]
  for (const [place, sum] of published.entries()) expect(up[22 + place]).toBeCloseTo(sum, 10)
})

test('upside down it is the same downwards', () => {
  const down = cusum(
    montgomery.map((value) => -value),
    { level: -10, sd: 1 }
  )
  expect(down.shift).toEqual({ side: 'down', at: 28, since: 22 })
})

test('in other units it is the same', () => {
  const there = cusum(
    montgomery.map((value) => 1000 * value + 7),
    { level: 10_007, sd: 1000 }
  )
  expect(there.shift).toEqual({ side: 'up', at: 28, since: 22 })
})

test.each([
  ['nothing from a level series', series(500, () => 3), undefined],
  ['nothing from a shift within the slack', series(500, (at) => (at < 100 ? 3 : 3.4)), undefined],
  ['a step', series(100, (at) => (at < 40 ? 3 : 5)), { side: 'up', at: 43, since: 40 }],
  [
    'the first of two',
    series(100, (at) => (at < 40 ? 3 : at < 70 ? 1 : 9)),
    { side: 'down', at: 43, since: 40 }
  ],
  ['nothing from nothing', [], undefined]
])('%s', (_, values, shift) => {
  expect(cusum(values, { level: 3, sd: 1 }).shift).toEqual(shift)
})
