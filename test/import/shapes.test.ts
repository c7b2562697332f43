import { expect, test } from 'vitest'
import { createShapes } from '../../src/import/shapes.ts'
import { parseSource } from '../../src/import/source.ts'
import { shapeFinding } from '../../src/scenario/shape.ts'

test.each([
  [{ type: 'file' }],
  [{ type: { of: 1 } }],
  [{ enum: 'abc' }],
  [{ minLength: '3' }],
  [{ maxItems: null }],
  [{ multipleOf: 0 }]
])('an answer is not held against what nobody knows: %j', (schema) => {
  const source = parseSource(JSON.stringify({ openapi: '3.1.0', paths: {} }), 'api.json')
  expect(createShapes(source).of({ value: schema, pointer: '' })).toEqual({})
})

test('what is only written is not required of an answer, wherever that is said', () => {
  const schemas = { Secret: { type: 'string', writeOnly: true }, Plain: { type: 'string' } }
  const source = parseSource(
    JSON.stringify({ openapi: '3.1.0', components: { schemas } }),
    'a.json'
  )
  const [a, b] = ['Secret', 'Plain'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const value = { required: ['a', 'b'], properties: { a, b } }
  expect(createShapes(source).of({ value, pointer: '' })).toMatchObject({ required: ['b'] })
})

test('a name that is only written elsewhere in the same value is not required of an answer', () => {
  const schemas = { Base: { properties: { secret: { type: 'string', writeOnly: true } } } }
  const source = parseSource(
    JSON.stringify({ openapi: '3.1.0', components: { schemas } }),
    'a.json'
  )
  const base = { $ref: '#/components/schemas/Base' }
  const shapes = createShapes(source)
  const holds = (value: unknown) =>
    shapeFinding({ id: 1 }, shapes.of({ value, pointer: '' }), shapes.defs)?.holds
  const required = ['secret', 'id']
  expect(holds({ allOf: [base, { required }] })).toBe(true)
  expect(holds({ allOf: [base], required })).toBe(true)
  expect(holds({ allOf: [base], required: ['name'] })).toBe(false)
})

const day = { type: 'string', format: 'date' }

const moment = { type: 'string', format: 'date-time' }

const cat = { required: ['kind'], properties: { kind: { type: 'string' } } }

test.each([
  ['a format', { oneOf: [day, moment] }, '2026-03-04', 5],
  ['a format behind a reference', { oneOf: [{ $ref: '#/components/schemas/D' }, moment] }, 'x', 5],
  ['none of a format', { type: 'string', not: { format: 'uuid' } }, 'x', 5],
  ['where a format', { if: { format: 'uuid' }, else: { type: 'integer' }, type: 'string' }, 'x', 5],
  ['none of another file', { type: 'string', not: { $ref: 'other.yaml' } }, 'x', 5],
  [
    'what a discriminator names',
    { oneOf: [cat, { ...cat, type: 'object' }], discriminator: { propertyName: 'kind' } },
    { kind: 'cat' },
    {}
  ]
])(
  'an answer is not refused by a choice of which something is left out: %s',
  (_, value, good, bad) => {
    const source = parseSource(
      JSON.stringify({ openapi: '3.1.0', components: { schemas: { D: day } } }),
      'a.json'
    )
    const shapes = createShapes(source)
    const shape = shapes.of({ value, pointer: '' })
    const found = [good, bad].map((one) => shapeFinding(one, shape, shapes.defs)?.holds)
    expect(found).toEqual([true, false])
  }
)

test('of two alternatives that can be told apart an answer is one, and not both', () => {
  const source = parseSource(JSON.stringify({ openapi: '3.1.0' }), 'a.json')
  const value = { oneOf: [{ minimum: 3 }, { type: 'integer' }] }
  const shape = createShapes(source).of({ value, pointer: '' })
  expect([2, 5, 3.5].map((one) => shapeFinding(one, shape)?.holds)).toEqual([true, false, true])
})
