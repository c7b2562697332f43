import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { mean, robustDeviation, standardDeviation } from '../../src/statistics/deviation.ts'
import { normals, series } from './noise.ts'

test('the average, and the deviation with n − 1', () => {
  expect(mean([2, 4, 4, 4, 5, 5, 7, 9])).toBe(5)
  expect(standardDeviation([2, 4, 4, 4, 5, 5, 7, 9])).toBeCloseTo(Math.sqrt(32 / 7), 12)
})

test('with too few values there is none', () => {
  expect([mean([]), standardDeviation([1]), robustDeviation([])]).toEqual([NaN, NaN, NaN])
})

test('the robust one is 1.4826 times the median distance from the median', () => {
  expect(robustDeviation([1, 1, 2, 2, 4, 6, 9])).toBeCloseTo(1.4826, 4)
})

test('under normal noise both agree; a wild minority moves only one', () => {
  const sample = series(5000, normals(random(1)))
  expect(robustDeviation(sample)).toBeCloseTo(standardDeviation(sample), 1)
  const wild = sample.map((value, place) => (place % 10 === 0 ? 1000 : value))
  expect(standardDeviation(wild)).toBeGreaterThan(100)
  expect(robustDeviation(wild)).toBeLessThan(1.3)
})
