import fc from 'fast-check'
import { expect, test } from 'vitest'
import { matrix, pairwise } from '../../src/scenario/combination.ts'

const dimensions = {
  plan: ['free', 'pro', 'business', 'enterprise'],
  method: ['GET', 'POST', 'PUT'],
  framing: ['length', 'chunked'],
  place: ['path', 'query', 'header', 'cookie']
} as const

test('a matrix has every combination once', () => {
  expect(matrix({ a: [1, 2], b: ['x', 'y'] })).toEqual([
    { a: 1, b: 'x' },
    { a: 1, b: 'y' },
    { a: 2, b: 'x' },
    { a: 2, b: 'y' }
  ])
  expect(matrix({ a: [1], b: [] })).toEqual([])
  expect(matrix(dimensions)).toHaveLength(4 * 3 * 2 * 4)
})

test('pairs are met by few combinations, the same ones for the same seed', () => {
  const some = pairwise(dimensions, { seed: 7 })
  expect(some).toEqual(pairwise(dimensions, { seed: 7 }))
  expect(some).not.toEqual(pairwise(dimensions, { seed: 8 }))
  expect(some.length).toBeLessThanOrEqual(22)
})

const sizes = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 5 })

test('whatever the dimensions, every two values of different ones meet', () => {
  fc.assert(
    fc.property(sizes, fc.nat(), (counts, seed) => {
      const given = Object.fromEntries(
        counts.map((count, a) => [`d${a}`, Array.from({ length: count }, (_, i) => i)])
      )
      const some = pairwise(given, { seed })
      for (const [a, count] of counts.entries()) {
        for (const b of counts.keys()) {
          if (a === b) continue
          const met = new Set(some.map((one) => `${one[`d${a}`]} ${one[`d${b}`]}`))
          expect(met.size).toBe(count * counts[b]!)
        }
      }
    })
  )
})
