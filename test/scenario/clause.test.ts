import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  documentedReadings,
  documentedText,
  parseInventory,
  presupposedBy
} from '../../src/scenario/clause.ts'

const one = (entry: object) =>
  [
    ...parseInventory(JSON.stringify([{ id: 'a', kind: 'limit', documented: '1', ...entry }]), 'f')
  ][0]![1]

test('the document’s inventory has its 437 clauses', () => {
  const file = 'scenarios/clauses.json'
  expect(parseInventory(readFileSync(file, 'utf8'), file).size).toBe(437)
})

test('advice says so in a field of its own, and what the document states is none', () => {
  const file = 'scenarios/clauses.json'
  const all = [...parseInventory(readFileSync(file, 'utf8'), file).values()]
  expect(all.filter(({ derived }) => derived).map(({ id }) => id)).toEqual([
    'envelope.result-info.consistent',
    'policy.semantics.enabled-false-inert',
    'waf-migration.eligibility.check-true-for-eligible'
  ])
  expect(all.filter(({ documented }) => /^derived/.test(documented))).toEqual([])
})

test.each([
  ['16', 'KB', [16_000, 16_384], '16 KB'],
  ['500', 'MB', [500_000_000, 524_288_000], '500 MB'],
  ['5', 'GB', [5_000_000_000, 5_368_709_120], '5 GB'],
  ['128', 'KB across logs', [128_000, 131_072], '128 KB across logs'],
  ['50', 'subrequests/request', [50], '50 subrequests/request'],
  ['about 30', 'operators', [30], 'about 30 operators'],
  ['4 KiB', undefined, [4_096], '4 KiB'],
  ['64', 'KiB', [65_536], '64 KiB'],
  ['1,000 requests', undefined, [1_000], '1,000 requests'],
  ['about 1.5 MB', undefined, [1_500_000, 1_572_864], 'about 1.5 MB'],
  ['2 GiB', undefined, [2_147_483_648], '2 GiB'],
  ['16 bytes', undefined, [16], '16 bytes'],
  ['1,00', 'bytes', [], '1,00 bytes'],
  ['none', 'requests', [], 'none requests'],
  ['result is an object', undefined, [], 'result is an object']
])('%s %s', (documented, unit, readings, text) => {
  expect(documentedReadings(one({ documented, unit }))).toEqual(readings)
  expect(documentedText(one({ documented, unit }))).toBe(text)
})

test('the list may stand beside the address of its schema', () => {
  const clauses = [{ id: 'a', kind: 'rule', documented: 'so it is' }]
  const parsed = (file: object) => parseInventory(JSON.stringify(file), 'f')
  expect(parsed({ $schema: './s.json', clauses })).toEqual(parsed(clauses))
  expect(() => parsed({ $schema: './s.json', claims: clauses })).toThrow(
    /^f: clauses: .* named "clauses"/
  )
  expect(() => parsed({ clauses: [{ id: 'a', kind: 'rule' }] })).toThrow(
    /^f: clauses\.0\.documented: /
  )
})

test('a number has one unit', () => {
  expect(() => one({ documented: '4 KiB', unit: 'bytes' })).toThrow(
    'f: "a": "documented" has the unit KiB, so "unit" has to go'
  )
})

const rule = (id: string, ...presupposes: string[]) => {
  return { id, kind: 'rule', documented: 'so it is', presupposes }
}

test('what is presupposed is told with all that it presupposes itself', () => {
  const text = JSON.stringify([rule('a', 'b'), rule('b', 'c'), rule('c'), rule('d')])
  const inventory = parseInventory(text, 'clauses.json')
  expect(presupposedBy(['a'], inventory)).toEqual(['b', 'c'])
  expect(presupposedBy(['c', 'd', 'nowhere'], inventory)).toEqual([])
})

test('a field that is nearly one of a clause is told, and one of the document’s own is not', () => {
  const given = (more: object) => JSON.stringify([{ ...rule('a'), ...more }])
  expect(() => parseInventory(given({ presuposes: ['b'] }), 'clauses.json')).toThrow(
    'clauses.json: "a": "presuposes" is no field of a clause; nearest: presupposes'
  )
  expect(parseInventory(given({ how: 'GET', cost: 'instant', owner: 'x' }), 'c').size).toBe(1)
})

test.each([
  [[rule('a', 'b')], 'clauses.json: "a" presupposes "b", which is not listed: name a clause'],
  [[rule('a', 'a')], 'clauses.json: "a" presupposes itself'],
  [[rule('a', 'b'), rule('b', 'a')], '"a" presupposes itself, by way of b, a'],
  [
    [rule('a', 'b'), { ...rule('b'), kind: 'unspecified' }],
    '"a" presupposes "b", which can only be observed'
  ],
  [[{ ...rule('a'), presupposes: 'b' }], '0.presupposes: must be a list of the ids of clauses'],
  [[{ ...rule('a'), presupposes: [1] }], '0.presupposes.0']
])('presuppositions that cannot be are refused', (clauses, message) => {
  expect(() => parseInventory(JSON.stringify(clauses), 'clauses.json')).toThrow(message)
})

test.each([
  ['{', /clauses\.json is not JSON/],
  ['{}', /clauses\.json: .*array/i],
  ['[{"id":"a","kind":"limit"}]', /clauses\.json: 0\.documented/],
  ['[{"id":"a","kind":"limt","documented":"1"}]', /0\.kind: must be one of .*; nearest: limit$/],
  ['[{"id":"a","kind":"rule","documented":"1","derived":"yes"}]', /clauses\.json: 0\.derived/],
  ['[{"id":"A b","kind":"limit","documented":"1"}]', /0\.id: must be a dotted/],
  [
    '[{"id":"a","kind":"limit","documented":"1"},{"id":"a","kind":"limit","documented":"1"}]',
    /"a" is listed twice/
  ]
])('%s is refused', (text, message) => {
  expect(() => parseInventory(text, 'clauses.json')).toThrow(message)
})
