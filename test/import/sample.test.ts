import { expect, test } from 'vitest'
import { type Fields, ids, posted, requestOf } from './documents.ts'

test('what can be but null is null', () => {
  const found = posted({
    required: ['x', 'y'],
    properties: { x: { type: 'null' }, y: { enum: [null] } }
  })
  expect(requestOf(found)).toContain('valid: { body: { x: null, y: null } }')
})

test.each([
  [{ $ref: '#/components/schemas/Pet' }, 'cat'],
  [{ $ref: '#/components/schemas/Cat' }, 'cat'],
  [{ $ref: '#/components/schemas/Dog' }, 'Dog'],
  [{ oneOf: ['B', 'A'].map((name) => ({ $ref: `#/components/schemas/${name}` })), by: 'kind' }, 'b']
])('a discriminator says what %j is called', ({ by, ...schema }: Fields, name) => {
  const kind = { type: 'string', example: 'none of them' }
  const plain = { type: 'object', required: ['kind'], properties: { kind } }
  const to = (one: string) => `#/components/schemas/${one}`
  const Pet = { ...plain, discriminator: { propertyName: 'kind', mapping: { cat: to('Cat') } } }
  const one = { allOf: [{ $ref: to('Pet') }] }
  const mapping = { b: to('B'), a: 'A' }
  const body = by ? { ...schema, discriminator: { propertyName: by, mapping } } : schema
  const found = posted(body, { schemas: { Pet, Cat: one, Dog: one, A: plain, B: plain } })
  expect(requestOf(found)).toContain(`valid: { body: { kind: '${name}' } }`)
})

const int64 = { minimum: -(2 ** 63), maximum: 2 ** 63 }

test.each<[schema: Fields, value: number]>([
  [int64, 1],
  [{ ...int64, maximum: -10 }, -11],
  [{ minimum: -(2 ** 63) }, 1],
  [{ maximum: 2 ** 63 }, 1],
  [{ minimum: -5, maximum: 5 }, -4]
])('a number of %j is one that it takes as it is written', (schema, value) => {
  const x = { type: 'integer', format: 'int64', ...schema }
  const found = posted({ type: 'object', required: ['x'], properties: { x } })
  expect(requestOf(found)).toContain(`valid: { body: { x: ${value} } }`)
})

test('where every number is too far to be written as it is, none is sent', () => {
  const x = { type: 'integer', minimum: 2 ** 63 }
  const found = posted({ type: 'object', required: ['x'], properties: { x } })
  expect(requestOf(found)).toContain("missing: { 'body.x': 'no valid value was found")
})

test('a required body of which something is not known keeps its clauses, and says what', () => {
  const odd = { type: 'string', pattern: '(?=a)(?=b)x' }
  const inner = { type: 'object', required: ['z'], properties: { z: odd } }
  const name = { type: 'string', maxLength: 4 }
  const found = posted({ required: ['inner'], properties: { inner, name } })
  expect(ids(found)).toContain('a.body.name.max-length')
  expect(requestOf(found)).toContain("missing: { 'body.inner.z': 'no valid value was found")
})
