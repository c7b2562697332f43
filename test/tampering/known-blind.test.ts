import { expect, test } from 'vitest'
import { knownOf, parseKnownBlind } from '../../src/tampering/known-blind.ts'

const all = parseKnownBlind(
  JSON.stringify([
    { scenario: 'logs/filter', clauses: ['logs.narrows'], because: 'read off deliveries' },
    { scenario: 'logs', because: 'what is delivered passes no proxy' }
  ]),
  'blind.json'
)

test.each([
  ['logs/filter', 'logs.narrows', 'read off deliveries'],
  ['logs/filter', 'logs.other', 'what is delivered passes no proxy'],
  ['logs/more/deep', 'logs.other', 'what is delivered passes no proxy'],
  ['logs-too', 'logs.other', undefined]
])('of %s and %s it is known that %s', (scenario, clause, because) => {
  expect(knownOf(all, { scenario, clause })?.because).toBe(because)
})

test.each([
  ['{', /blind.json is not JSON/],
  ['{}', /a list of/],
  ['[{"scenario":"a"}]', /because is missing: add a reason in words/],
  ['[{"scenario":"a","because":"so"}]', /because must be a reason in words/],
  ['[{"scenario":"a","because":"it is so","clause":"b"}]', /clause is not a known field/]
])('%s is refused', (text, message) => {
  expect(() => parseKnownBlind(text, 'blind.json')).toThrow(message)
})
