import { expect, test } from 'vitest'
import { flat } from '../../src/import/schema.ts'
import { parseSource } from '../../src/import/source.ts'

const flatOf = (schemas: Record<string, unknown>, name: string) => {
  const source = parseSource(JSON.stringify({ components: { schemas } }), 'api.yaml')
  return flat(source, { value: { $ref: `#/components/schemas/${name}` }, pointer: '/of' })
}
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

/** Each step has the one below it twice. */
const diamond = (steps: number, end: unknown) => {
  const both = Array.from({ length: steps }, (_, n) => [
    `S${n + 1}`,
    { allOf: [ref(`S${n}`), ref(`S${n}`)] }
  ])
  return { S0: end, ...Object.fromEntries(both) }
}

// Gone through part by part, this takes 2^40 steps.
test('parts that others have twice are put together once', () => {
  const found = flatOf(diamond(40, { type: 'object', required: ['a'], minProperties: 3 }), 'S40')
  expect(found).toMatchObject({ types: ['object'], keywords: { minProperties: { value: 3 } } })
  expect(Object.keys(found.required)).toEqual(['a'])
})

test('parts that come back to where they began say what they say', () => {
  const found = flatOf(diamond(40, { allOf: [ref('S40')], maxLength: 3 }), 'S40')
  expect(found.keywords.maxLength!.value).toBe(3)
})

test('of a choice with null, the other schema itself is none', () => {
  const T = { type: 'string' }
  const found = flatOf({ T, A: { allOf: [{ anyOf: [ref('T'), { type: 'null' }] }] } }, 'A')
  expect(found).toMatchObject({ types: ['string'], isNullable: true })
})
