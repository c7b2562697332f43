import fc from 'fast-check'
import { expect, test } from 'vitest'
import { normalCdf, normalDensity, normalQuantile } from '../../src/statistics/normal.ts'

fc.configureGlobal({ seed: 1 })

// Abramowitz & Stegun, "Handbook of Mathematical Functions", tables 26.1 and 26.2.
test.each([
  [0, 0.5],
  [0.5, 0.691462461274013],
  [1, 0.841344746068543],
  [1.96, 0.97500210485178],
  [2, 0.977249868051821],
  [3, 0.99865010196837],
  [4, 0.999968328758167]
])('P(Z ≤ %f) is %f', (z, p) => {
  expect(normalCdf(z)).toBeCloseTo(p, 14)
  expect(normalCdf(-z)).toBeCloseTo(1 - p, 14)
})

// Abramowitz & Stegun, table 26.2: −log₁₀ of the tail.
test.each([
  [5, 6.54265],
  [10, 23.11805],
  [20, 88.5601]
])('far out, at %f, the tail keeps its relative accuracy', (z, minusLog) => {
  expect(-Math.log10(normalCdf(-z))).toBeCloseTo(minusLog, 5)
})

// The percentage points of every textbook.
test.each([
  [0.9, 1.2815515655],
  [0.975, 1.9599639845],
  [0.995, 2.5758293035],
  [0.9995, 3.2905267315]
])('the %f quantile is %f', (p, z) => {
  expect(normalQuantile(p)).toBeCloseTo(z, 9)
  expect(normalQuantile(1 - p)).toBeCloseTo(-z, 9)
})

test('the ends are infinite', () => {
  expect([normalQuantile(0), normalQuantile(1)]).toEqual([-Infinity, Infinity])
})

test('quantile and probability undo each other', () => {
  fc.assert(
    fc.property(fc.double({ min: -8, max: 5, noNaN: true }), (z) => {
      expect(normalQuantile(normalCdf(z))).toBeCloseTo(z, 8)
    })
  )
})

test('the density is the slope of the probability', () => {
  fc.assert(
    fc.property(fc.double({ min: -5, max: 5, noNaN: true }), (z) => {
      const slope = (normalCdf(z + 1e-5) - normalCdf(z - 1e-5)) / 2e-5
      expect(slope).toBeCloseTo(normalDensity(z), 8)
    })
  )
})
