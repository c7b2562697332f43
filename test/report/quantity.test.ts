import { expect, test } from 'vitest'
import { change, changes, duration, grouped, latency } from '../../src/report/quantity.ts'

test.each([
  [1, '1'],
  [104_857_600, '104,857,600'],
  [1_998.4, '1,998.4']
])('%d is set as %s', (value, text) => {
  expect(grouped(value)).toBe(text)
})

test.each([
  [0, '0 µs'],
  [999, '999 µs'],
  [1_000, '1 ms'],
  [1_234, '1.23 ms'],
  [999_400, '999 ms'],
  [12_345_678, '12.3 s']
])('%d µs are %s', (us, text) => {
  expect(latency(us)).toBe(text)
})

test.each([
  [0, '0 ms'],
  [350, '350 ms'],
  [41_300, '41.3 s'],
  [59_949, '59.9 s'],
  [60_000, '1 min 0 s'],
  [725_000, '12 min 5 s'],
  [12_000_000, '3 h 20 min']
])('%d ms last %s', (ms, text) => {
  expect(duration(ms)).toBe(text)
})

test.each([
  [1.012, '+1.2 %'],
  [0.9, '−10.0 %'],
  [1, '+0.0 %'],
  [Infinity, '∞'],
  [NaN, '–']
])('%f as a change is %s', (ratio, text) => {
  expect(change(ratio)).toBe(text)
})

test('an interval is its two ends', () => {
  expect(changes([0.98, 1.05])).toBe('−2.0 % … +5.0 %')
  expect(changes([0, Infinity])).toBe('too few to tell')
  expect(changes(undefined)).toBe('too few to tell')
})
