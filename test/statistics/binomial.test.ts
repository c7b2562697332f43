import fc from 'fast-check'
import { expect, test } from 'vitest'
import { binomialCdf, binomialTail } from '../../src/statistics/binomial.ts'

fc.configureGlobal({ seed: 1 })

/** P(X = 0 … draws), by adding one draw at a time. */
function law(draws: number, probability: number): number[] {
  let chances = [1]
  for (let draw = 0; draw < draws; draw++)
    chances = [...chances, 0].map(
      (chance, events) => chance * (1 - probability) + (chances[events - 1] ?? 0) * probability
    )
  return chances
}

const sum = (chances: readonly number[]) => chances.reduce((total, chance) => total + chance, 0)

test('both tails are those of the law built draw by draw', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: -1, max: 61 }),
      fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      (draws, events, probability) => {
        const chances = law(draws, probability)
        const binomial = { draws, probability }
        expect(binomialCdf(events, binomial)).toBeCloseTo(sum(chances.slice(0, events + 1)), 12)
        const above = sum(chances.slice(Math.max(0, events)))
        expect(binomialTail(events, binomial)).toBeCloseTo(above, 12)
      }
    )
  )
})

test('a million draws: half of them, by symmetry', () => {
  const half = { draws: 1_000_001, probability: 0.5 }
  expect(binomialCdf(500_000, half)).toBeCloseTo(0.5, 8)
})
