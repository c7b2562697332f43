import fc from 'fast-check'
import { expect, test } from 'vitest'
import { median, quantile, sortedQuantile } from '../../src/statistics/quantile.ts'

fc.configureGlobal({ seed: 1 })

// R, quantile(x, type = 7): the definition is Hyndman & Fan, Am. Stat. 50 (1996).
test.each([
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.9, 9.1],
  [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 0.25, 3.25],
  [[10, 1, 7], 0, 1],
  [[10, 1, 7], 1, 10],
  [[3, 1], 0.5, 2],
  [[4], 0.99, 4]
])('quantile of %o at %f', (sample, q, expected) => {
  expect(quantile(sample, q)).toBeCloseTo(expected, 12)
})

test('an empty sample has none', () => {
  expect([quantile([], 0.5), median([])]).toEqual([NaN, NaN])
})

const sample = fc.array(fc.double({ noNaN: true, min: -1e6, max: 1e6 }), {
  minLength: 1,
  maxLength: 200
})

test('the median, found without sorting, is that of the sorted sample', () => {
  fc.assert(
    fc.property(sample, (values) => {
      const before = [...values]
      const ascending = [...values].sort((one, other) => one - other)
      expect(median(values)).toBeCloseTo(sortedQuantile(ascending, 0.5), 9)
      expect(values).toEqual(before)
    })
  )
})

test('few different values do not trouble it', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(2), { minLength: 1, maxLength: 100 }), (values) => {
      expect(median(values)).toBe(quantile(values, 0.5))
    })
  )
})
