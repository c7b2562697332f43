import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { kolmogorovSmirnov } from '../../src/statistics/kolmogorov-smirnov.ts'
import { series } from './noise.ts'

const uniform = (x: number) => Math.min(1, Math.max(0, x))

test.each([
  [[0.5], 0.5],
  [[0.1, 0.4, 0.7], 0.3],
  [[0.7, 0.1, 0.4], 0.3],
  [[0.25, 0.75], 0.25],
  [[2, 3], 1]
])('%o is %f from uniform', (sample, distance) => {
  expect(kolmogorovSmirnov(sample, uniform).distance).toBeCloseTo(distance, 12)
})

/** A sample whose share runs ahead of the uniform law by just so much. */
const ahead = (n: number, distance: number) =>
  series(n, (place) => Math.max(0, (place + 1) / n - distance))

// Miller, J. Am. Stat. Assoc. 51 (1956), table 1: two-sided points of the exact law.
test.each([
  [10, 0.40925, 0.05],
  [20, 0.29408, 0.05],
  [40, 0.21012, 0.05],
  [100, 0.13403, 0.05],
  [10, 0.48893, 0.01],
  [20, 0.35241, 0.01],
  [40, 0.25205, 0.01],
  [100, 0.16081, 0.01]
])('of %i values, a distance of %f has p = %f', (n, distance, p) => {
  const result = kolmogorovSmirnov(ahead(n, distance), uniform)
  expect(result.distance).toBeCloseTo(distance, 12)
  expect(Math.abs(result.p - p)).toBeLessThan(0.002)
})

test('Poisson gaps fit the exponential law, even ones do not', () => {
  const next = random(1)
  const law = (gap: number) => -Math.expm1(-50 * gap)
  const gaps = series(500, () => -Math.log(1 - next()) / 50)
  expect(kolmogorovSmirnov(gaps, law).p).toBeGreaterThan(0.05)
  expect(
    kolmogorovSmirnov(
      series(500, () => 1 / 50),
      law
    ).p
  ).toBeLessThan(1e-9)
})
