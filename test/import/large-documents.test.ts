import { expect, test } from 'vitest'
import { importOpenApi } from '../../src/import/openapi.ts'
import { parseSource } from '../../src/import/source.ts'
import { askedOf, type Fields, json, posted } from './documents.ts'

/** How often anything of a document is read while it is imported. */
function readsOf(schema: unknown): number {
  let reads = 0
  // The same stands for the same: what is known of a list is known by which it is.
  const known = new WeakMap<object, unknown>()
  const counted = (value: any): any => {
    if (value === null || typeof value !== 'object') return value
    const get = (target: object, key: PropertyKey) => {
      reads++
      return counted(Reflect.get(target, key))
    }
    const own = known.get(value) ?? new Proxy(value, { get })
    known.set(value, own)
    return own
  }
  const post = { operationId: 'a', requestBody: { content: json(schema) }, responses: {} }
  const value = { openapi: '3.1.0', paths: { '/a': { post } } }
  const source = parseSource(JSON.stringify(value), 'api.json')
  importOpenApi({ ...source, value: counted(source.value) }, 'limits')
  return reads
}

const many = (count: number) => Array.from({ length: count }, (_, n) => `v${n}`)

const fields = (count: number) => ({
  type: 'object',
  properties: Object.fromEntries(many(count).map((name) => [name, { type: 'integer' }]))
})

const listing = (count: number) => ({
  type: 'object',
  properties: { x: { enum: many(count) } }
})

/** Fields of which nothing is asked: what is asked is held against the whole body, each time. */
const unsaid = (count: number) => ({
  type: 'object',
  properties: Object.fromEntries(many(count).map((name) => [name, {}]))
})

test.each<[what: string, count: number, of: (count: number) => object]>([
  ['an enum', 600, listing],
  ['an object', 100, unsaid]
])('%s that is twice as long is read twice as often', (_, count, of) => {
  const [once, twice] = [readsOf(of(count)), readsOf(of(2 * count))]
  expect(twice / once).toBeLessThan(2.5)
})

test('of thousands of values as many are asked about as there are countries, and more', () => {
  const { enum: asked } = askedOf({ enum: many(5_000) }) as { enum: any }
  expect(asked.accepted).toHaveLength(500)
  expect(asked.accepted.slice(0, 1)).toEqual(['v0'])
  expect(asked.accepted.at(-1)).toBe('v4999')
  const { enum: all } = askedOf({ enum: many(500) }) as { enum: any }
  expect(all.accepted).toEqual(many(500))
  const found = posted(listing(5_000))
  const { documented } = found.clauses.find(({ id }) => id.endsWith('.enum'))!
  expect(documented).toMatch(/^x is one of 5000 values, of which are asked "v0", /)
})

test('what is beyond the clauses of an operation is told', () => {
  const found = posted(fields(600))
  const beyond = found.leftAt.get('an operation has more than 500 clauses')!
  expect(found.clauses.filter(({ id }) => /body\.v/.test(id)).length).toBeLessThanOrEqual(500)
  expect(beyond.join()).toContain('a.body.v599')
})

/** A list of lists, so deep, each of at least three. */
const nested = (depth: number): Fields =>
  depth === 0
    ? { type: 'string', maxLength: 5 }
    : { type: 'array', minItems: 3, items: nested(depth - 1) }

test.each([4, 30])('lists of lists, %i deep, are written as long as can be sent', (depth) => {
  const request = posted(nested(depth)).files['limits/a/_request.ts']!
  expect(request.length).toBeLessThan(100_000)
  expect(request.includes('missing:')).toBe(depth === 30)
})
