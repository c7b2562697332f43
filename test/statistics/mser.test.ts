import fc from 'fast-check'
import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { mean } from '../../src/statistics/deviation.ts'
import { mser } from '../../src/statistics/mser.ts'
import { normals, series } from './noise.ts'

fc.configureGlobal({ seed: 1 })

/** The definition word for word: batch means, and the squared standard error of what is left. */
function byDefinition(values: readonly number[], batch: number): { cut: number; settled: boolean } {
  const batches = series(Math.floor(values.length / batch), (at) =>
    mean(values.slice(at * batch, (at + 1) * batch))
  )
  const half = Math.floor(batches.length / 2)
  const errors = series(half + 1, (cut) => {
    const rest = batches.slice(cut)
    return mean(rest.map((value) => (value - mean(rest)) ** 2)) / rest.length
  })
  const least = errors.indexOf(Math.min(...errors))
  return { cut: least * batch, settled: least < half }
}

test('it cuts where the definition says', () => {
  const value = fc.integer({ min: -50, max: 50 })
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 10, maxLength: 150 }),
      fc.integer({ min: 1, max: 5 }),
      (values, batch) => {
        // A little slope keeps two cuts from being exactly as good.
        const distinct = values.map((one, place) => one + Math.sqrt(place + 2) / 100)
        expect(mser(distinct, batch)).toEqual(byDefinition(distinct, batch))
      }
    )
  )
})

test.each([
  ['steady from the start', () => 10, { cut: 0, settled: true }],
  ['high for the first 30', (place: number) => (place < 30 ? 50 : 10), { cut: 30, settled: true }],
  ['low for the first 33', (place: number) => (place < 33 ? 5 : 10), { cut: 35, settled: true }],
  ['rising throughout', (place: number) => place, { cut: 50, settled: false }],
  ['high for more than half', (place: number) => (place < 60 ? 50 : 10), { cut: 0, settled: true }]
])('a series %s', (_, value, expected) => {
  expect(mser(series(100, value))).toEqual(expected)
})

test('a warm-up that dies away is cut to where the noise hides it', () => {
  const normal = normals(random(1))
  const { cut, settled } = mser(series(400, (place) => 20 * Math.exp(-place / 20) + normal()))
  expect(settled).toBe(true)
  expect(cut).toBeGreaterThanOrEqual(40)
  expect(cut).toBeLessThanOrEqual(130)
})

test('a handful of values settles nothing', () => {
  expect(mser([1, 1, 1, 1, 1, 1])).toEqual({ cut: 0, settled: false })
})
