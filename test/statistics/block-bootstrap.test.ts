import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { blockBootstrap } from '../../src/statistics/block-bootstrap.ts'
import { mean } from '../../src/statistics/deviation.ts'
import { normals, remembering, series } from './noise.ts'

const average = (drawn: Float64Array) => mean([...drawn])
const width = ({ low, high }: { low: number; high: number }) => high - low
const options = (block: number) => ({ block, confidence: 0.95, next: random(7) })

test('equal seeds give equal intervals', () => {
  const values = series(50, normals(random(1)))
  const one = blockBootstrap(values, average, options(5))
  expect(blockBootstrap(values, average, options(5))).toEqual(one)
  expect(one.low).toBeLessThan(mean(values))
  expect(one.high).toBeGreaterThan(mean(values))
})

test('of independent values, the mean is as sure as 1.96 standard errors', () => {
  const values = series(2000, normals(random(2)))
  const expected = (2 * 1.96) / Math.sqrt(2000)
  expect(width(blockBootstrap(values, average, options(1))) / expected).toBeCloseTo(1, 1)
})

test('of values that remember .8, blocks see the threefold width that single values miss', () => {
  const values = series(2000, remembering(0.8, random(3)))
  const single = width(blockBootstrap(values, average, options(1)))
  const blocks = width(blockBootstrap(values, average, options(50)))
  // Long-run over plain standard deviation: √((1 + .8) / (1 − .8)) = 3.
  expect(blocks / single).toBeGreaterThan(2.5)
  expect(blocks / single).toBeLessThan(3.5)
})

test('a resample has the length asked for and is made of runs of neighbours', () => {
  const drawn: number[][] = []
  const keep = (values: Float64Array) => drawn.push([...values])
  const numbers = series(20, (place) => place)
  blockBootstrap(numbers, keep, { ...options(4), length: 10, resamples: 30 })
  expect(drawn).toHaveLength(30)
  for (const values of drawn) {
    expect(values).toHaveLength(10)
    for (const place of [1, 2, 3, 5, 6, 7, 9]) expect(values[place]).toBe(values[place - 1]! + 1)
  }
  expect(new Set(drawn.flat())).toEqual(new Set(numbers))
})

test('a block longer than the series is the series', () => {
  const interval = blockBootstrap([1, 2, 6], average, { ...options(10), resamples: 20 })
  expect(interval).toEqual({ low: 3, high: 3 })
})

test('more confidence widens it, scale and shift carry over', () => {
  const values = series(60, normals(random(4)))
  const narrow = blockBootstrap(values, average, { ...options(5), confidence: 0.8 })
  const wide = blockBootstrap(values, average, { ...options(5), confidence: 0.99 })
  expect(wide.low).toBeLessThan(narrow.low)
  expect(wide.high).toBeGreaterThan(narrow.high)
  const moved = values.map((value) => 3 + 2 * value)
  const there = blockBootstrap(moved, average, { ...options(5), confidence: 0.8 })
  expect(there.low).toBeCloseTo(3 + 2 * narrow.low, 10)
  expect(there.high).toBeCloseTo(3 + 2 * narrow.high, 10)
})
