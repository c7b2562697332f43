import { expect, test } from 'vitest'
import { type Clause, parseInventory } from '../../src/scenario/clause.ts'
import { withClauses } from '../../src/scenario/clause-text.ts'
import { taken } from '../../src/scenario/taken.ts'

const none = () => false
const of = (quote: string, section = 'orders', isTaken: (id: string) => boolean = none) =>
  taken({ section, line: 3, quote }, isTaken)

test.each<[string, Partial<Clause>]>([
  [
    'A name has up to 40 characters.',
    { id: 'orders.name-characters', kind: 'limit', documented: '40 characters' }
  ],
  ['At most 1,000 requests/minute.', { kind: 'limit', documented: '1,000 requests/minute' }],
  ['free | 1 MB', { id: 'orders.free-mb', kind: 'limit', documented: '1 MB' }],
  ['Prices must be positive.', { kind: 'rule', documented: 'Prices must be positive.' }],
  ['Version 2 must be named.', { kind: 'rule', documented: 'Version 2 must be named.' }],
  ['Ωmega — ???', { id: 'orders.mega', kind: 'rule' }]
])('%s becomes a clause', (quote, clause) => {
  expect(of(quote)).toMatchObject({ ...clause, quote, section: 'orders', lines: '3' })
})

test('no id is given twice, or none', () => {
  const ids = new Set(['orders.name-characters', 'orders.name-characters-2'])
  expect(of('A name has up to 40 characters.', 'orders', (id) => ids.has(id)).id).toBe(
    'orders.name-characters-3'
  )
  expect(of('§ 4 …', '§').id).toBe('clause')
})

test.each([
  '[]',
  '[\n  { "id": "a", "kind": "rule", "documented": "]" }\n]\n',
  '{ "$schema": "x", "clauses": [] }',
  '{ "clauses": [{ "id": "a", "kind": "rule", "documented": "b", "tags": [1] }], "$schema": "x" }'
])('clauses are put at the end of %j, and nothing else is changed', (text) => {
  const clauses = [of('Prices must be positive.'), of('Up to 3 MB.')]
  const now = withClauses(text, clauses)
  const before = [...parseInventory(text, 'f').keys()]
  expect([...parseInventory(now, 'f').keys()]).toEqual([...before, ...clauses.map(({ id }) => id)])
  expect(
    now.startsWith(
      text
        .slice(0, text.lastIndexOf('}') - 1)
        .trimEnd()
        .slice(0, 20)
    )
  ).toBe(true)
})
