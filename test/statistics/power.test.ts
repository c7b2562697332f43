import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fewestPairs, pairsNeeded, resolution, spanNeeded } from '../../src/statistics/power.ts'
import { signedRankInterval } from '../../src/statistics/signed-rank.ts'

fc.configureGlobal({ seed: 1 })

test.each([0.05, 0.0208, 0.01, 0.001])(
  'at level %f, the interval is finite from the fewest pairs on',
  (level) => {
    const pairs = fewestPairs(level)
    const width = (count: number) =>
      signedRankInterval(
        Array.from({ length: count }, (_, at) => at),
        1 - level
      ).high
    expect(width(pairs)).toBeLessThan(Infinity)
    expect(width(pairs - 1)).toBe(Infinity)
  }
)

// Noether (1987): N = (1.96 + 1.2816)² σ² / δ² for the mean; over 3/π, and half of 1.96² more.
test('half a standard deviation at 5 % and 90 %', () => {
  expect(pairsNeeded(0.5, { sd: 1, level: 0.05, power: 0.9 })).toBe(
    Math.ceil(42.03 / 0.9549 + 1.92)
  )
})

test('the resolution of the pairs needed is the effect they are needed for', () => {
  const design = fc.record({
    sd: fc.double({ min: 0.001, max: 1, noNaN: true }),
    level: fc.constantFrom(0.05, 0.0208, 0.01),
    power: fc.constantFrom(0.8, 0.9, 0.95)
  })
  fc.assert(
    fc.property(design, fc.double({ min: 0.01, max: 1, noNaN: true }), (each, effect) => {
      const pairs = pairsNeeded(effect, each)
      expect(resolution(pairs, each)).toBeLessThanOrEqual(effect * (1 + 1e-9))
      if (pairs > fewestPairs(each.level))
        expect(resolution(pairs - 1, each)).toBeGreaterThan(effect)
    })
  )
  expect(resolution(5, { sd: 0.1, level: 0.05, power: 0.9 })).toBe(Infinity)
})

const soak = { sd: 1.2, memory: 0.6, spacing: 1 / 60, confidence: 0.95, power: 0.9 }

test('a slope is told apart after the span at which its standard error is small enough', () => {
  const span = spanNeeded(5, soak)
  const values = span / soak.spacing
  const longRun = soak.sd * Math.sqrt((1 + soak.memory) / (1 - soak.memory))
  const standardError = (longRun * Math.sqrt(12 / values)) / span
  expect((1.96 + 1.2816) * standardError).toBeCloseTo(5, 2)
})

test('half the slope takes 1.6 times as long, a longer memory more', () => {
  expect(spanNeeded(2.5, soak) / spanNeeded(5, soak)).toBeCloseTo(2 ** (2 / 3), 10)
  expect(spanNeeded(5, { ...soak, memory: 0.9 })).toBeGreaterThan(spanNeeded(5, soak))
})
