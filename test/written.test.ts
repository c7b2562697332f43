import * as v from 'valibot'
import { expect, test } from 'vitest'
import { isDay, keyTwice, parseWritten } from '../src/written.ts'

test('a mark of the order of bytes says nothing', () => {
  const written = { text: '\uFEFF{ "a": 1 }', file: 'a.json', complaint: () => '' }
  expect(parseWritten(v.object({ a: v.number() }), written)).toEqual({ a: 1 })
})

test.each([
  ['2027-03-31', true],
  ['2028-02-29', true],
  ['2027-02-29', false],
  ['2027-3-1', false],
  ['tomorrow', false]
])('%s is a day: %s', (day, is) => {
  expect(isDay(day)).toBe(is)
})

test.each([
  ['{ "a": 1,\n "b": { "a": 2, "a": 3 } }', { key: 'a', line: 2 }],
  ['[{ "a": 1 }, { "a": 1 }]', undefined],
  ['{ "a": "\\"a\\": 1", "b": ["a", "a"], "c": ":" }', undefined],
  ['{ "\\u0061": 1, "a": 2 }', { key: 'a', line: 1 }],
  ['{ "__proto__": 1, "__proto__": 2 }', { key: '__proto__', line: 1 }],
  ['5', undefined]
])('in %s comes twice %j', (json, twice) => {
  expect(keyTwice(json)).toEqual(twice)
})
