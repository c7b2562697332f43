import { expect, test } from 'vitest'
import { type Answered, odd, type Service } from './asked.ts'

const ok = { 200: { description: 'ok' } }

const listing = (items: object, version = '3.1.0') => {
  const schema = { type: 'array', maxItems: 2, items }
  const get = { operationId: 'a', parameters: [{ name: 'x', in: 'query', schema }], responses: ok }
  return { openapi: version, paths: { '/a': { get } } }
}

/** A service whose list in a query has at most two items of some. */
const lists =
  (isOne: (text: string) => boolean): Service =>
  ({ query }): Answered => {
    const items = query.getAll('x')
    return [items.length <= 2 && items.every(isOne) ? 200 : 400]
  }

test.each([[['one', 'two']], [['one', 'two', 'three']]])(
  'items that are of %j, of which no type is said, are asked about',
  async (values) => {
    const document = listing({ enum: values })
    expect(
      await odd(
        document,
        lists((text) => values.includes(text))
      )
    ).toEqual({})
    const any = await odd(
      document,
      lists(() => true)
    )
    expect(any).toEqual({ 'a.query.x.items.enum': 'fail' })
  }
)

const text = (maxLength: number) => ({ type: 'string', maxLength })
const named = { type: 'object', required: ['x'], properties: { x: text(5) } }
const posting = (schema: object, openapi = '3.1.0') => {
  const requestBody = { required: true, content: { 'application/json': { schema } } }
  const post = { operationId: 'a', requestBody, responses: ok }
  return { openapi, paths: { '/a': { post } } }
}

/** A service whose bodies have some fields, and others where it is `lax`. */
const posts =
  (fields: readonly string[], lax: boolean): Service =>
  ({ body, headers }): Answered => {
    if (headers['content-type'] !== 'application/json') return [415]
    const isText = (value: unknown) => typeof value === 'string' && [...value].length <= 5
    if (!isText(body?.x) || (body.y !== undefined && !isText(body.y))) return [400]
    return [lax || Object.keys(body).every((name) => fields.includes(name)) ? 200 : 400]
  }

test.each([
  { ...named, unevaluatedProperties: false },
  { allOf: [named, { properties: { y: text(5) } }], unevaluatedProperties: false }
])('a body that has none but what is said of it in %j is asked about', async (schema) => {
  const fields = 'allOf' in schema ? ['x', 'y'] : ['x']
  expect(await odd(posting(schema), posts(fields, false))).toEqual({})
  const lax = await odd(posting(schema), posts(fields, true))
  expect(lax).toEqual({ 'a.body.unevaluated-properties': 'fail' })
})

test.each<[schema: object, openapi?: string]>([
  [{ ...named, unevaluatedProperties: false }, '3.0.3'],
  [{ ...named, unevaluatedProperties: false, patternProperties: { '^p': true } }],
  [{ allOf: [{ ...named, additionalProperties: true }], unevaluatedProperties: false }]
])('nothing is said of others where %j may take them', async (schema, openapi) => {
  expect(await odd(posting(schema, openapi), posts(['x'], true))).toEqual({})
})
