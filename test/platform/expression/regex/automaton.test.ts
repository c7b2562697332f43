import { expect, test } from 'vitest'
import { regex } from '../../../../src/platform/expression/regex/regex.ts'

/** The work of one test of a value, by a regular expression that has not been used before. */
function work(pattern: string, value: string): number {
  const { matches, work: done } = regex(pattern)
  expect(matches(value)).toBe(false)
  return done()
}

/** Letters in an order without a pattern, the same each time. */
function scattered(length: number): string {
  let state = 1
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff
    return state & 0x10000 ? 'a' : 'b'
  }).join('')
}

// Each of these takes a backtracking engine a time that is exponential in the length of the value.
test.each([
  ['nested repeats', '^(a+)+$'],
  ['overlapping choices', '^(a|a)*$'],
  ['overlapping lengths', '^(a|aa)+$'],
  ['nested stars', '^((a*)*)*$'],
  ['repeats side by side', '^a*a*a*a*a*a*a*a*a*a*$'],
  ['optional parts and required ones', '^(?:a?){30}a{30}$'],
  ['stars of anything', '^(.*)*(.*)*x$'],
  ['an e-mail address', '^([a-z]+[.-]?)+@x$'],
  ['spaces', '^(\\w+\\s?)*$'],
  ['characters', '(?u)^(\\p{L}+)+$']
])('twice the value is twice the work: %s', (_, pattern) => {
  const value = (length: number) => `${'a'.repeat(length)}!`
  const small = work(pattern, value(5_000))
  const large = work(pattern, value(10_000))
  expect(large).toBeLessThanOrEqual(2 * small)
  expect(large).toBeLessThan(5 * 10_000)
})

// Each of these has exponentially many states, of which a value can bring a new one at each step.
test.each([
  ['one place back', '[ab]*a[ab]{12}c'],
  ['many places back', '[ab]*a[ab]{500}c'],
  ['many places in many ways', '(?:[ab]*a[ab]{50}){3}c']
])('no step follows more instructions than there are: %s', (_, pattern) => {
  const value = scattered(2_000)
  expect(work(pattern, value)).toBeLessThanOrEqual(3_000 * value.length)
  expect(work(pattern, value + value)).toBeLessThanOrEqual(2.2 * work(pattern, value))
})

test('what is forgotten for want of memory is found again', () => {
  const { matches } = regex('a[ab]{400}c')
  const value = scattered(2_000)
  const isMatch = value[value.length - 401] === 'a'
  for (let round = 0; round < 2; round++) {
    expect(matches(value)).toBe(false)
    expect(matches(`${value}c`)).toBe(isMatch)
    expect(matches(`${value}${'a'.repeat(401)}c`)).toBe(true)
  }
})

test('what has been worked out is not worked out again', () => {
  const { matches, work: done } = regex('(?i)union\\s+select|<script[^>]*>')
  const value = '/index.html?name=value&other=123'.repeat(10)
  matches(value)
  const first = done()
  matches(value)
  expect(done() - first).toBe(value.length)
})

test('what can only match at the beginning is not looked for elsewhere', () => {
  expect(work('^abc', 'x'.repeat(10_000))).toBeLessThan(10)
  expect(work('^(?:abc|^def)', 'x'.repeat(10_000))).toBeLessThan(20)
})
