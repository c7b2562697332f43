import fc from 'fast-check'
import { expect, test } from 'vitest'
import { median } from '../../src/statistics/quantile.ts'
import { theilSen } from '../../src/statistics/theil-sen.ts'
import { series } from './noise.ts'

fc.configureGlobal({ seed: 1 })

const points = (times: readonly number[], values: readonly number[]) =>
  times.map((time, place) => ({ time, value: values[place]! }))

test.each([
  // Hollander, Wolfe & Chicken, "Nonparametric Statistical Methods", example 9.1: −.056.
  [[1, 2, 3, 4, 5], [1.26, 1.27, 1.12, 1.16, 1.03], -0.05625],
  // Sen, J. Am. Stat. Assoc. 63 (1968), section 6: 4.
  [[1, 2, 3, 4, 10, 12, 18], [9, 15, 19, 20, 45, 55, 78], 4],
  [[0, 1], [5, 7], 2],
  [[0, 0, 1], [1, 9, 6], 1]
])('through %o and %o the slope is %f', (times, values, slope) => {
  expect(theilSen(points(times, values)).slope).toBeCloseTo(slope, 12)
})

test('a quarter of wild points does not move it', () => {
  const line = series(40, (time) => ({ time, value: 3 + 2 * time }))
  const wild = line.map((point, place) => (place % 4 === 1 ? { ...point, value: 1e6 } : point))
  expect(theilSen(line)).toEqual({ slope: 2, intercept: 3 })
  expect(theilSen(wild).slope).toBeCloseTo(2, 0)
})

const some = fc.uniqueArray(
  fc.record({ time: fc.integer({ min: 0, max: 500 }), value: fc.integer({ min: -99, max: 99 }) }),
  { minLength: 2, maxLength: 30, selector: ({ time }) => time }
)
const number = fc.integer({ min: -50, max: 50 })

test('adding a line adds its slope and its height; turning it over turns both', () => {
  fc.assert(
    fc.property(some, number, number, (kept, slope, height) => {
      const before = theilSen(kept)
      const added = theilSen(
        kept.map(({ time, value }) => ({ time, value: value + slope * time + height }))
      )
      expect(added.slope).toBeCloseTo(before.slope + slope, 8)
      expect(added.intercept).toBeCloseTo(before.intercept + height, 6)
      const turned = theilSen(kept.map(({ time, value }) => ({ time, value: 0 - value })))
      expect(turned.slope).toBeCloseTo(-before.slope, 8)
    })
  )
})

test('the residuals have no rank correlation left with time, and their median is zero', () => {
  fc.assert(
    fc.property(some, (kept) => {
      const { slope, intercept } = theilSen(kept)
      const residuals = kept.map(({ time, value }) => value - slope * time - intercept)
      expect(median(residuals)).toBeCloseTo(0, 8)
      const signs = kept.flatMap((one, at) =>
        kept.slice(0, at).map((other, before) => {
          const rise = (residuals[at]! - residuals[before]!) / (one.time - other.time)
          return Math.abs(rise) < 1e-9 ? 0 : Math.sign(rise)
        })
      )
      const rising = signs.filter((sign) => sign > 0).length
      const falling = signs.filter((sign) => sign < 0).length
      const level = signs.length - rising - falling
      expect(Math.abs(rising - falling)).toBeLessThanOrEqual(level)
    })
  )
})
