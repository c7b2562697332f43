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

test('a required body of which something is not known keeps its clauses, and says what', () => {
  const odd = { type: 'string', pattern: '(?=a)(?=b)x' }
  const inner = { type: 'object', required: ['z'], properties: { z: odd } }
  const name = { type: 'string', maxLength: 4 }
  const found = posted({ required: ['inner'], properties: { inner, name } })
  expect(ids(found)).toContain('a.body.name.max-length')
  expect(requestOf(found)).toContain("missing: { 'body.inner.z': 'no valid value was found")
})
