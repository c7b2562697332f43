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

test.each([
  [0, 0.4, 'no-regression'],
  [0.02, 0.3, 'no-regression'],
  [-0.03, 0.5, 'no-regression'],
  [0.1, 0.6, 'regressed']
])('B slower by %f ± %f: so many more pairs as it says lead to %s', (slowdown, width, verdict) => {
  const decided = (count: number) => {
    const atEnd = { at: [count], level: looks.level }
    return pairedDecision(about(count, slowdown, width), atEnd, margins)
  }
  const { verdict: sofar, furtherPairs } = decided(48)
  expect(sofar).toBe('inconclusive')
  expect(decided(48 + Math.ceil(1.1 * furtherPairs)).verdict).toBe(verdict)
  expect(decided(48 + Math.floor(0.7 * furtherPairs)).verdict).toBe('inconclusive')
})

test('where there are too few pairs for an interval, it says how many are missing', () => {
  const few = { at: [4], level: 0.05 }
  const decision = pairedDecision(about(4, 0.5, 0.01), few, margins)
  expect(decision).toMatchObject({ verdict: 'inconclusive', furtherPairs: 2 })
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
