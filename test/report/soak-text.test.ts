import { expect, test } from 'vitest'
import { amount, soakReachText, soakText } from '../../src/report/soak-text.ts'
import { minutes, soakOf } from './soaks.ts'

test.each([
  [2_500_000, 'bytes', '2.5 MB'],
  [-2_500_000, 'bytes', '−2.5 MB'],
  [1_500, 'µs', '1.5 ms'],
  [0.0123, 'of requests', '1.23 %'],
  [12_345, 'requests/s', '12,300/s'],
  [85.23, 'µs/request', '85.2 µs'],
  [7, 'threads', '7'],
  [Infinity, 'bytes', '–']
])('%d %s is %s', (value, unit, text) => {
  expect(amount(value, unit)).toBe(text)
})

test('a drift is told with its numbers', () => {
  const text = soakText(soakOf(minutes((at) => 100 + 12 * at)).conclusion)
  expect(text).toMatch(/^\ndrift: rss rises by 11 % an hour\n/)
  expect(text).toMatch(/rss +drift +108 MB +12 MB +12 MB … 12 MB/)
  expect(text).toMatch(/lasted +60 min 0 s|lasted +1 h 0 min/)
  expect(text).not.toMatch(/missing/)
})

test('what does not decide stands in brackets, and what is missing is said', () => {
  const text = soakText(soakOf(minutes(() => 100, 10)).conclusion)
  expect(text).toMatch(/\(inconclusive\)/)
  expect(text).toMatch(/missing +about 1\d min|missing +about 2\d min/)
})

test('a shift and a generator at fault are told', () => {
  const shifted = minutes((at) => (at < 0.6 ? 100 : 140))
  const { conclusion } = soakOf(shifted)
  expect(soakText({ ...conclusion, voidShare: 0.125 })).toMatch(/at fault in 13 % of the time/)
  expect(soakText(conclusion)).toMatch(/shifted after 3\d min/)
})

test('a rise that has just begun is told with its moment, and how long it takes to tell', () => {
  const { conclusion } = soakOf(minutes((at) => 100 + 100 * Math.max(0, at - 0.7)))
  const text = soakText(conclusion)
  expect(text).toMatch(/^\ninconclusive: rss rises since 0\.7\d h, by \d+ % an hour, too short/)
  expect(text).toMatch(/rss +inconclusive .* level until 4\d min/)
  expect(text).toMatch(/missing +about 1 h|missing +about 7\d min/)
  // What came all at once is no such rise.
  expect(soakText(soakOf(minutes((at) => (at < 0.6 ? 100 : 140))).conclusion)).not.toMatch(
    /level until/
  )
})

test('before it begins a soak says what its length can tell, and what it may miss', () => {
  expect(soakReachText({ seconds: 3_600, budgets: [0.05] })).toMatch(
    /^in 1 h.* growth of 10 % an hour, .*; what begins in the last sixth may be missed$/
  )
  expect(soakReachText({ seconds: 10, budgets: [0.05] })).toMatch(/nothing can be told/)
})
