import { expect, test } from 'vitest'
import { countOf, differing, distinctIn } from '../../src/import/distinct.ts'
import { createSampler } from '../../src/import/sample.ts'
import { flat } from '../../src/import/schema.ts'
import { parseSource } from '../../src/import/source.ts'
import { isGood } from '../../src/import/violated.ts'
import { odd, type Service, verdicts } from './asked.ts'

const days = ['mo', 'tu', 'we', 'th', 'fr', 'sa', 'su']
const source = parseSource('{ "openapi": "3.1.0" }', 'a.json')

function different(value: object) {
  const schema = flat(source, { value, pointer: '' })
  const of = distinctIn(schema, { source, item: createSampler(source)(schema)?.value })
  return { schema, of }
}

test.each<[schema: object, count: number]>([
  [{ enum: days }, 7],
  [{ enum: ['a', 'a', null, 'b'] }, 2],
  [{ type: 'boolean' }, 2],
  [{ type: 'integer', minimum: 3, maximum: 9 }, 7],
  [{ type: 'integer', minimum: 10, maximum: 50, multipleOf: 5 }, 9],
  [{ type: 'integer' }, Infinity],
  [{ type: 'integer', maximum: -3 }, Infinity],
  [{ type: 'number', minimum: 0, maximum: 1 }, 400],
  [{ type: 'string' }, Infinity],
  [{ type: 'string', maxLength: 4 }, 1_000],
  [{ type: 'string', maxLength: 1 }, 26],
  [{ type: 'string', minLength: 30, maxLength: 40 }, 1_000_000],
  [{ type: 'string', pattern: '^[a-z]{2}$' }, 400],
  [{ type: 'string', pattern: '^[ab]{3}$' }, 8],
  [{ type: 'string', pattern: '^SKU-[0-9]{6}$' }, 1_000_000],
  [{ type: 'string', pattern: '^[0-9a-f]{24}$' }, 100_000_000],
  [{ type: 'string', format: 'uuid' }, 1e12],
  [{ type: 'string', format: 'date' }, 400],
  [{ type: 'string', format: 'date-time' }, 400],
  [{ type: 'string', format: 'email' }, 1_000_000],
  [{ type: 'string', format: 'uri' }, 1_000_000],
  [{ type: 'string', format: 'ipv4' }, 400],
  [{ type: 'object', required: ['id'], properties: { id: { type: 'integer' } } }, Infinity],
  [{ type: 'object', required: ['d'], properties: { d: { enum: days } } }, 7]
])('of %j there are as many values as one can make, and each is another', (value, count) => {
  const { schema, of } = different(value)
  expect(countOf(of!)).toBe(count)
  const all = Array.from({ length: Math.min(count, 400) }, (_, index) => differing(of!, index))
  expect(new Set(all.map((one) => JSON.stringify(one))).size).toBe(all.length)
  expect(all.filter((one) => !isGood(one, schema))).toEqual([])
})

test.each([
  [{ enum: ['a'] }],
  [{ const: 1 }],
  [{ type: 'integer', minimum: 3, maximum: 3 }],
  [{ type: 'string', format: 'phone' }],
  [{ type: 'object', properties: { a: { type: 'string' } } }],
  [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }]
])('of %j no others are known', (value) => {
  expect(different(value).of).toBeUndefined()
})

const document = (items: object, more: object = { maxItems: 3 }) => {
  const x = { type: 'array', uniqueItems: true, items, ...more }
  const content = { 'application/json': { schema: { type: 'object', properties: { x } } } }
  const requestBody = { required: true, content }
  const post = { operationId: 'a', requestBody, responses: { 200: { description: 'ok' } } }
  return { openapi: '3.1.0', paths: { '/a': { post } } }
}

/** A service by its own rules about the list. */
const lists = (
  isItem: (one: any) => boolean,
  { most = 3, least = 0, isUnique = true } = {}
): Service => {
  return ({ body, headers }) => {
    if (headers['content-type'] !== 'application/json') return [415]
    if (body === null || typeof body !== 'object') return [400]
    const { x } = body
    if (x === undefined) return [200]
    if (!Array.isArray(x) || x.length > most || x.length < least || !x.every(isItem)) return [400]
    const isOne = new Set(x.map((one) => JSON.stringify(one))).size === x.length
    return [isOne || !isUnique ? 200 : 400]
  }
}

const isText = (pattern: RegExp) => (one: any) => typeof one === 'string' && pattern.test(one)
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/
test.each<[string, object, (one: any) => boolean]>([
  ['values of a list', { type: 'string', enum: days }, (one) => days.includes(one)],
  [
    'values of a list that is short',
    { enum: days.slice(0, 4) },
    (one) => days.slice(0, 4).includes(one)
  ],
  [
    'whole numbers',
    { type: 'integer', minimum: 1, maximum: 9 },
    (n) => Number.isInteger(n) && n > 0 && n < 10
  ],
  ['any whole numbers', { type: 'integer' }, Number.isInteger],
  ['texts', { type: 'string' }, (one) => typeof one === 'string'],
  ['texts of a pattern', { type: 'string', pattern: '^[A-Z]{3}$' }, isText(/^[A-Z]{3}$/)],
  ['UUIDs', { type: 'string', format: 'uuid' }, isText(uuid)],
  ['days', { type: 'string', format: 'date' }, isText(/^\d{4}-[01]\d-[0-3]\d$/)]
])(
  'of different %s one too many and one too few fall, and so do twins',
  async (_, items, isItem) => {
    const id = (keyword: string) => `a.body.x.${keyword}`
    expect(await odd(document(items), lists(isItem))).toEqual({})
    for (const most of [2, 4]) {
      const found = await odd(document(items), lists(isItem, { most }))
      expect(found).toEqual({ [id('max-items')]: 'fail' })
    }
    expect(await odd(document(items), lists(isItem, { isUnique: false }))).toEqual({
      [id('unique-items')]: 'fail'
    })
    const least = document(items, { minItems: 2 })
    expect(await odd(least, lists(isItem, { most: 9, least: 2 }))).toEqual({})
    for (const own of [1, 3]) {
      const found = await verdicts(least, lists(isItem, { most: 9, least: own }))
      expect(found[id('min-items')]).toBe('fail')
    }
  }
)

test('who looks up what a list names is not accused, and its limit is not judged', async () => {
  const known = ['7f0c5c5a-8a55-4b1e-9a39-3f2f6d1f7a10']
  const items = { type: 'string', format: 'uuid', example: known[0] }
  const service = lists((one) => known.includes(one))
  expect(await odd(document(items), service)).toEqual({ 'a.body.x.max-items': 'observed' })
})

test('where there are fewer different values than may be, nothing is asked', async () => {
  const items = { enum: days.slice(0, 2) }
  const found = await verdicts(
    document(items),
    lists((one) => days.includes(one))
  )
  expect(Object.keys(found)).not.toContain('a.body.x.max-items')
})

test('of two that have to differ no number is searched for that the other may be', async () => {
  const items = { type: 'integer', minimum: 1, maximum: 5 }
  const own = document(items, { minItems: 2, maxItems: 4 })
  const numbers = (most: number) => (n: any) => Number.isInteger(n) && n >= 1 && n <= most
  expect(await odd(own, lists(numbers(5), { most: 4, least: 2 }))).toEqual({})
  for (const most of [4, 6, 10]) {
    const found = await odd(own, lists(numbers(most), { most: 4, least: 2 }))
    expect(found['a.body.x.items.maximum']).toBe('fail')
  }
})
