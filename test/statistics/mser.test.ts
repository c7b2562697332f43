import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { mean } from '../../src/statistics/deviation.ts'
import { warmUpLength } from '../../src/statistics/mser.ts'
import { normals, series } from './noise.ts'

test('a series that is steady from the beginning keeps all of it', () => {
  expect(warmUpLength(series(60, () => 7))).toBe(0)
})

test('a warm-up is cut off, in whole batches of five', () => {
  const level = (place: number) => (place < 13 ? 20 : 10) + (place % 2)
  expect(warmUpLength(series(60, level))).toBe(15)
})

test('a series that goes on changing, or is too short, has no steady part', () => {
  expect(warmUpLength(series(100, (place) => Math.max(0, 60 - place)))).toBeUndefined()
  expect(warmUpLength(series(24, () => 7))).toBeUndefined()
  expect(warmUpLength([])).toBeUndefined()
})

/** The statistic as it is published: squared standard error of what a cut leaves. */
function published(values: readonly number[]): number {
  const batches = series(Math.floor(values.length / 5), (batch) =>
    mean(values.slice(5 * batch, 5 * batch + 5))
  )
  const errors = batches.slice(0, -4).map((_, cut) => {
    const kept = batches.slice(cut)
    const squares = kept.map((value) => (value - mean(kept)) ** 2)
    return squares.reduce((sum, square) => sum + square, 0) / kept.length ** 2
  })
  return 5 * errors.indexOf(Math.min(...errors))
}

test('it is the cut of the published statistic', () => {
  for (let seed = 0; seed < 50; seed++) {
    const normal = normals(random(seed, 'mser'))
    const values = series(103, (place) => 5 * Math.exp(-place / 8) + normal())
    const cut = published(values)
    expect(warmUpLength(values)).toBe(cut <= 50 ? cut : undefined)
  }
})
