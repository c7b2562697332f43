import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hodgesLehmann, walshAverages } from '../../src/statistics/hodges-lehmann.ts'

fc.configureGlobal({ seed: 1 })

// Hollander & Wolfe, "Nonparametric Statistical Methods", example 3.3 (Hamilton depression scale).
const before = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3]
const after = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]

test('Hollander & Wolfe: the estimate is −.46', () => {
  expect(hodgesLehmann(after.map((value, place) => value - before[place]!))).toBeCloseTo(-0.46, 12)
})

test.each([
  [[], NaN],
  [[3], 3],
  [[1, 2], 1.5],
  [[0, 0, 9], 2.25],
  [[0, 0, 0, 0, 1e9], 0]
])('of %o it is %f', (sample, expected) => {
  expect(hodgesLehmann(sample)).toBe(expected)
})

const sample = fc.array(fc.double({ noNaN: true, min: -1e3, max: 1e3 }), {
  minLength: 1,
  maxLength: 40
})
const number = fc.double({ noNaN: true, min: -100, max: 100 })

test('there is an average for each pair, ascending, between the least and the most', () => {
  fc.assert(
    fc.property(sample, (values) => {
      const averages = [...walshAverages(values)]
      expect(averages).toHaveLength((values.length * (values.length + 1)) / 2)
      expect(averages).toEqual([...averages].sort((one, other) => one - other))
      expect([averages[0], averages.at(-1)]).toEqual([Math.min(...values), Math.max(...values)])
    })
  )
})

test('it shifts and scales with the sample, and turns over with it', () => {
  fc.assert(
    fc.property(sample, number, number, (values, shift, scale) => {
      const moved = hodgesLehmann(values.map((value) => shift + scale * value))
      expect(moved).toBeCloseTo(shift + scale * hodgesLehmann(values), 6)
    })
  )
})
