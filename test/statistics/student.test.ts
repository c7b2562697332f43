import { expect, test } from 'vitest'
import { normalQuantile } from '../../src/statistics/normal.ts'
import { studentCdf, studentQuantile } from '../../src/statistics/student.ts'

// Tables of Student's law, as in Abramowitz & Stegun, 26.10.
test.each([
  [0.975, 1, 12.706205],
  [0.975, 2, 4.302653],
  [0.995, 3, 5.840909],
  [0.975, 10, 2.228139],
  [0.95, 30, 1.697261],
  [0.9995, 4, 8.610302]
])('the quantile %f with %i degrees of freedom', (p, degrees, t) => {
  expect(studentQuantile(p, degrees)).toBeCloseTo(t, 5)
  expect(studentQuantile(1 - p, degrees)).toBeCloseTo(-t, 5)
  expect(studentCdf(t, degrees)).toBeCloseTo(p, 6)
})

test('it is even about zero, infinite at its ends, and normal in the limit', () => {
  expect(studentCdf(0, 5)).toBeCloseTo(0.5, 12)
  expect([studentQuantile(0, 5), studentQuantile(1, 5)]).toEqual([-Infinity, Infinity])
  expect(studentQuantile(0.975, 1_999)).toBeCloseTo(normalQuantile(0.975), 2)
  expect(studentQuantile(0.975, 2_000)).toBe(normalQuantile(0.975))
})
