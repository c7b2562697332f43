import { expect, test } from 'vitest'
import { overallLevel, pocock } from '../../src/statistics/looks.ts'
import { normalQuantile } from '../../src/statistics/normal.ts'

const even = (looks: number) => Array.from({ length: looks }, (_, look) => look + 1)

// Jennison & Turnbull, "Group Sequential Methods" (2000), table 2.1: Pocock's constants.
test.each([
  [1, 0.05, 1.96],
  [2, 0.05, 2.178],
  [3, 0.05, 2.289],
  [4, 0.05, 2.361],
  [5, 0.05, 2.413],
  [10, 0.05, 2.555],
  [3, 0.01, 2.873],
  [5, 0.01, 2.986],
  [3, 0.1, 1.992],
  [5, 0.1, 2.122]
])('%i even looks at %f overall: z = %f', (looks, overall, z) => {
  expect(-normalQuantile(pocock(even(looks), overall).level / 2)).toBeCloseTo(z, 3)
})

// Pocock, Biometrika 64 (1977), table 1: nominal levels.
test.each([
  [2, 0.0294],
  [3, 0.0221],
  [4, 0.0182],
  [5, 0.0158]
])('%i even looks: each at %f', (looks, level) => {
  expect(pocock(even(looks), 0.05).level).toBeCloseTo(level, 4)
})

// Armitage, McPherson & Rowe (1969), table 2: what looking again and again at 5 % comes to.
test.each([
  [1, 0.05],
  [2, 0.083],
  [3, 0.107],
  [4, 0.126],
  [5, 0.142],
  [10, 0.193],
  [20, 0.248]
])('%i looks at .05 each err in %f', (looks, overall) => {
  expect(overallLevel({ at: even(looks), level: 0.05 })).toBeCloseTo(overall, 3)
})

test('only the proportions of the looks count', () => {
  const { level } = pocock([1, 2, 4], 0.05)
  expect(pocock([12, 24, 48], 0.05)).toEqual({ at: [12, 24, 48], level: expect.closeTo(level, 8) })
})

test('doubling looks need a lower level than even ones, which would err too often', () => {
  expect(pocock([12, 24, 48], 0.05).level).toBeCloseTo(0.0208, 4)
  expect(overallLevel({ at: [12, 24, 48], level: 0.0221 })).toBeCloseTo(0.053, 3)
})

test('looks close together are integrated as finely as they need', () => {
  const twice = overallLevel({ at: [1000, 1001], level: 0.05 })
  // Correlation √(1000/1001): by quadrature of the bivariate normal law, independently.
  expect(twice).toBeCloseTo(bivariate(Math.sqrt(1000 / 1001)), 5)
})

/** P(|Z₁| > 1.96 or |Z₂| > 1.96) of normal values so correlated, by the midpoint rule. */
function bivariate(correlation: number): number {
  const z = -normalQuantile(0.025)
  const rest = Math.sqrt(1 - correlation ** 2)
  const pieces = 20_000
  let inside = 0
  for (let piece = 0; piece < pieces; piece++) {
    const one = -z + ((piece + 0.5) * 2 * z) / pieces
    const density = Math.exp((-one * one) / 2) / Math.sqrt(2 * Math.PI)
    const within =
      normalAt((z - correlation * one) / rest) - normalAt((-z - correlation * one) / rest)
    inside += (density * within * 2 * z) / pieces
  }
  return 1 - inside
}

/** Φ by Abramowitz & Stegun 7.1.26, good to 1.5e-7: another way than the one under test. */
function normalAt(z: number): number {
  const t = 1 / (1 + (0.3275911 * Math.abs(z)) / Math.SQRT2)
  const series = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592]
  const tail = series.reduce((sum, term) => (sum + term) * t, 0) * Math.exp((-z * z) / 2)
  return z > 0 ? 1 - tail / 2 : tail / 2
}
