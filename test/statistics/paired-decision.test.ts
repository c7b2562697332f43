import fc from 'fast-check'
import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { pocock } from '../../src/statistics/looks.ts'
import { pairedDecision } from '../../src/statistics/paired-decision.ts'
import { normals, series } from './noise.ts'

fc.configureGlobal({ seed: 1 })

const looks = pocock([12, 24, 48], 0.05)
const margins = { nothing: Math.log(1.01), budget: Math.log(1.05) }

/** Differences spread evenly about a slow-down, as wide as asked for. */
const about = (count: number, slowdown: number, width: number) =>
  series(count, (place) => Math.log1p(slowdown) + width * ((2 * place) / (count - 1) - 1))

test.each([
  [12, 0, 0.02, 'no-regression'],
  [12, 0.1, 0.02, 'regressed'],
  [12, 0.03, 0.01, 'slower-within-budget'],
  [12, -0.1, 0.02, 'improved'],
  [12, -0.03, 0.02, 'no-regression'],
  [12, 0.06, 0.1, 'continue'],
  [24, 0.03, 0.2, 'continue'],
  [48, 0.03, 0.2, 'inconclusive'],
  [48, 0.1, 0.5, 'inconclusive'],
  [48, 0.1, 0.05, 'regressed'],
  // Surely slower, surely not by twice the budget, but on neither side of it.
  [48, 0.045, 0.05, 'inconclusive'],
  [60, 0, 0.02, 'no-regression']
])('%i pairs, B slower by %f ± %f: %s', (count, slowdown, width, verdict) => {
  expect(pairedDecision(about(count, slowdown, width), looks, margins).verdict).toBe(verdict)
})

test.each([0, 1, 11, 13, 23, 47])('with %i pairs no look is due, however clear it is', (count) => {
  const next = looks.at.find((look) => look > count)!
  const decision = pairedDecision(
    series(count, () => 1),
    looks,
    margins
  )
  expect(decision).toMatchObject({ verdict: 'continue', furtherPairs: next - count })
})

test('an outlier in each direction does not hide a regression', () => {
  const differences = about(12, 0.1, 0.01)
  const hit = [...about(22, 0.1, 0.01), 3, -3]
  expect(pairedDecision(differences, looks, margins).verdict).toBe('regressed')
  expect(pairedDecision(hit, looks, margins).verdict).toBe('regressed')
})

test('without a verdict it says how many more pairs would do', () => {
  const { verdict, furtherPairs } = pairedDecision(about(48, 0, 0.4), looks, margins)
  expect(verdict).toBe('inconclusive')
  const enough = about(48 + furtherPairs, 0, 0.4)
  const more = { at: [enough.length], level: looks.level }
  expect(pairedDecision(enough, more, margins).verdict).toBe('no-regression')
  const half = about(48 + Math.floor(furtherPairs / 2), 0, 0.4)
  const less = { at: [half.length], level: looks.level }
  expect(pairedDecision(half, less, margins).verdict).toBe('inconclusive')
})

test('swapping the labels swaps regressed and improved', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10_000 }),
      fc.constantFrom(0.06, 0.1, 0.2),
      (seed, slowdown) => {
        const normal = normals(random(seed))
        const differences = series(24, () => Math.log1p(slowdown) + 0.05 * normal())
        const here = pairedDecision(differences, looks, margins)
        const there = pairedDecision(
          differences.map((value) => -value),
          looks,
          margins
        )
        expect(there.estimate).toBeCloseTo(-here.estimate, 12)
        expect(there.interval.low).toBeCloseTo(-here.interval.high, 12)
        expect(there.verdict === 'improved').toBe(here.verdict === 'regressed')
      }
    )
  )
})

test('a slower B is never judged better', () => {
  const order = ['improved', 'no-regression', 'slower-within-budget', 'continue', 'regressed']
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 10_000 }), (seed) => {
      const normal = normals(random(seed))
      const noise = series(12, () => 0.03 * normal())
      const verdicts = series(41, (place) => {
        const differences = noise.map((value) => value + (place - 20) / 100)
        return order.indexOf(pairedDecision(differences, looks, margins).verdict)
      })
      expect(verdicts).toEqual([...verdicts].sort((one, other) => one - other))
    })
  )
})

test('what is no number is a fault, not a verdict', () => {
  expect(() => pairedDecision([...about(11, 0, 0.1), NaN], looks, margins)).toThrow(RangeError)
  expect(() => pairedDecision([...about(11, 0, 0.1), Infinity], looks, margins)).toThrow(RangeError)
})
