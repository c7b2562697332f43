import { type Schema, Validator } from '@cfworker/json-schema'
import { expect, test } from 'vitest'
import { requestPlan } from '../../src/import/clauses.ts'
import { sentAt } from '../../src/import/how-asked.ts'
import { operationsOf } from '../../src/import/operations.ts'
import { parseSource } from '../../src/import/source.ts'
import type { RequestParts } from '../../src/scenario/place.ts'
import { changed } from '../../src/scenario/request-parts.ts'

type Fields = Record<string, unknown>

const planFor = (schema: Fields) => {
  const content = { 'application/json': { schema } }
  const post = { operationId: 'a', requestBody: { required: true, content }, responses: {} }
  const text = JSON.stringify({ openapi: '3.1.0', paths: { '/a': { post } } })
  const source = parseSource(text, 'api.yaml')
  return requestPlan(source, operationsOf(source).operations[0]!)
}

/** Bodies that are said to be taken, by clause. */
function takenOf(schema: Fields): Record<string, unknown[]> {
  const { clauses, valid, optional } = planFor(schema)
  const whole = { path: {}, query: {}, header: {}, cookie: {}, ...valid } as RequestParts
  const all = clauses.flatMap(({ clause, at, asked, beside }): [string, unknown[]][] => {
    const sent = (value: unknown) =>
      changed(structuredClone(whole), { [at]: value, ...beside }, optional).body
    if (asked.form === 'left' || at === 'content-type') return []
    const { form } = asked
    const values =
      form === 'sides'
        ? [...asked.accepted, ...(asked.ends ? [asked.ends.like, ...asked.ends.taken] : [])]
        : [asked.smallest, asked.max].map((n) => sentAt(asked.value, n))
    return [[clause.id.slice('a.body.'.length), values.map(sent)]]
  })
  return { 'the valid request': [whole.body], ...Object.fromEntries(all) }
}

/** What of it another judge of JSON Schema refuses. */
function wrongOf(schema: Fields): unknown[] {
  const judge = new Validator(schema as Schema, '2020-12')
  return Object.entries(takenOf(schema)).flatMap(([id, bodies]) =>
    bodies.filter((body) => !judge.validate(body).valid).map((body) => ({ id, body }))
  )
}

const days = { enum: ['mo', 'tu', 'we', 'th'] }
const counts = { type: 'integer', minimum: 1, maximum: 50 }
const unique = (items: Fields, minItems: number, more: Fields = {}) => ({
  type: 'object',
  required: ['x'],
  properties: { x: { type: 'array', items, minItems, uniqueItems: true, ...more } }
})

test.each([1, 2, 3])('no item is asked about that the rest of a list of %i has', (least) => {
  for (const items of [days, counts, { type: 'string', maxLength: 9 }]) {
    expect(wrongOf(unique(items, least))).toEqual([])
  }
})

test('all values of a list of different ones are asked about where one may stand alone', () => {
  const all = takenOf(unique(days, 1))['x.items.enum']
  expect(all).toEqual(days.enum.map((day) => ({ x: [day] })))
  expect(takenOf(unique(days, 2))['x.items.enum']!.length).toBeGreaterThan(0)
})

const small = { type: 'integer', minimum: 1, maximum: 9 }
const thing = { type: 'object', required: ['a'], properties: { a: small } }

test.each([
  [{ minProperties: 1, additionalProperties: small }],
  [{ required: ['en'], additionalProperties: small }],
  [{ minProperties: 1, maxProperties: 1, additionalProperties: thing }],
  [{ additionalProperties: thing }],
  [{ required: ['en'], additionalProperties: thing }]
])('members of a map are what it says of them: %j', (map) => {
  const held = { type: 'object', required: ['x'], properties: { x: { type: 'object', ...map } } }
  expect(wrongOf(held)).toEqual([])
  expect(wrongOf({ type: 'object', properties: held.properties })).toEqual([])
  expect(wrongOf({ type: 'object', ...map })).toEqual([])
})

const contact = { type: 'string', minLength: 3, maxLength: 20 }
const needing = (...names: string[]) => names.map((name) => ({ required: [name] }))
const fields = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, contact]))
})
const oneOfTwo = { ...fields('email', 'phone'), oneOf: needing('email', 'phone') }
const oneOfThree = { ...fields('a', 'b', 'c'), oneOf: needing('a', 'b', 'c') }
const pairs = {
  ...fields('a', 'b', 'c', 'd'),
  oneOf: [{ required: ['a', 'b'] }, { required: ['c', 'd'] }]
}
const line = {
  type: 'object',
  required: ['id', 'qty'],
  properties: { id: { ...counts }, qty: { type: 'integer', minimum: 1, maximum: 5 } }
}

test.each([
  ['one of two', oneOfTwo, ['email.max-length', 'phone.max-length', 'phone.min-length']],
  ['one of three', oneOfThree, ['a.max-length', 'b.max-length', 'c.max-length']],
  ['pairs', pairs, ['a.max-length', 'b.max-length', 'c.max-length', 'd.max-length']],
  ['any of two', { ...fields('a', 'b'), anyOf: needing('a', 'b') }, ['b.max-length']],
  [
    'within',
    { type: 'object', required: ['x'], properties: { x: oneOfTwo } },
    ['x.phone.max-length']
  ],
  ['not there', { type: 'object', properties: { x: oneOfTwo } }, ['x.phone.max-length']],
  [
    'in a list',
    { type: 'object', required: ['x'], properties: { x: { type: 'array', items: oneOfTwo } } },
    ['x.items.phone.max-length']
  ],
  ['different lines', unique(line, 2, { maxItems: 4 }), ['x.max-items']],
  ['one property', { ...fields('a', 'b'), minProperties: 1, maxProperties: 1 }, []],
  [
    'no item',
    { type: 'object', properties: { x: { type: 'array', maxItems: 0, items: contact } } },
    []
  ]
])('what is sent as valid is so by the whole schema: %s', (_, schema, asked) => {
  expect(wrongOf(schema)).toEqual([])
  expect(Object.keys(takenOf(schema))).toEqual(expect.arrayContaining(asked))
})
