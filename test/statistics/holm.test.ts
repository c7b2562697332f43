import fc from 'fast-check'
import { expect, test } from 'vitest'
import { holm } from '../../src/statistics/holm.ts'

fc.configureGlobal({ seed: 1 })

// R, p.adjust(c(.01, .04, .03, .005), "holm"): the example of most texts on Holm's method.
test('an example by hand', () => {
  const adjusted = holm([0.01, 0.04, 0.03, 0.005])
  for (const [place, p] of [0.03, 0.06, 0.06, 0.02].entries())
    expect(adjusted[place]).toBeCloseTo(p, 12)
})

test('none, and one', () => {
  expect(holm([])).toEqual([])
  expect(holm([0.2])).toEqual([0.2])
})

/**
 * Holm is Bonferroni on every group of claims: a claim stands only if every group it is in does.
 */
function byClosure(ps: readonly number[]): number[] {
  const groups = Array.from({ length: 2 ** ps.length }, (_, bits) =>
    ps.map((_, place) => place).filter((place) => (bits >> place) & 1)
  )
  const bonferroni = (group: readonly number[]) =>
    Math.min(1, group.length * Math.min(...group.map((place) => ps[place]!)))
  return ps.map((_, place) =>
    Math.max(...groups.filter((group) => group.includes(place)).map(bonferroni))
  )
}

test('it is the closure of Bonferroni', () => {
  const p = fc.double({ noNaN: true, min: 0, max: 1 })
  fc.assert(
    fc.property(fc.array(p, { minLength: 1, maxLength: 7 }), (ps) => {
      const expected = byClosure(ps)
      for (const [place, adjusted] of holm(ps).entries())
        expect(adjusted).toBeCloseTo(expected[place]!, 12)
    })
  )
})
