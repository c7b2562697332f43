import { expect, test } from 'vitest'
import { odd, type Service } from './asked.ts'

const name = { type: 'string', maxLength: 8 }
const schema = {
  type: 'object',
  required: ['name', 'age', 'at'],
  properties: {
    name,
    age: { type: 'integer' },
    at: { type: 'object', required: ['shop'], properties: { shop: { type: 'boolean' } } },
    note: { type: 'string', maxLength: 8 }
  }
}
const operation = {
  operationId: 'a',
  requestBody: { required: true, content: { 'application/json': { schema } } },
  responses: { 201: { description: 'made' } }
}
const document = { openapi: '3.1.0', paths: { '/a': { post: operation } } }

const isObject = (x: any) => x !== null && typeof x === 'object' && !Array.isArray(x)

type Habits = { nulls?: string[]; isCoercing?: boolean; count?: (text: string) => number }

/** What becomes of a value where one type is made of another. */
const made: Record<string, (value: any) => unknown> = {
  string: (one) => (one === null ? '' : typeof one === 'number' ? String(one) : one),
  integer: (one) => (one === null ? 0 : typeof one === 'string' && one ? Number(one) : one),
  boolean: (one) => (one === null ? false : one === 'true' ? true : one)
}

function service({ nulls = [], isCoercing = false, count = (text) => [...text].length }: Habits) {
  const own: Service = ({ body, headers }) => {
    if (headers['content-type'] !== 'application/json' || !isObject(body)) return [400]
    const as = (kind: string, one: unknown) => (isCoercing ? made[kind]!(one) : one)
    const isText = (one: unknown) => {
      const text = as('string', one)
      return typeof text === 'string' && count(text) <= 8
    }
    const holds: Record<string, (one: any) => boolean> = {
      name: isText,
      age: (one) => Number.isInteger(as('integer', one)),
      at: (one) => isObject(one) && typeof as('boolean', one.shop) === 'boolean'
    }
    for (const [field, isGood] of Object.entries(holds)) {
      const isLet = body[field] === null && nulls.includes(field)
      if (!isLet && (!(field in body) || !isGood(body[field]))) return [400]
    }
    const { note } = body
    return note === undefined || note === null || isText(note) ? [201] : [400]
  }
  return own
}

test('null of a field that may be left out is nobody’s fault', async () => {
  expect(await odd(document, service({}))).toEqual({})
})

test('who makes one type of another makes one of null as well', async () => {
  expect(await odd(document, service({ isCoercing: true }))).toEqual({})
})

test.each(['name', 'age', 'at'])('null of %s, which has to be there, falls', async (field) => {
  expect(await odd(document, service({ nulls: [field] }))).toEqual({
    [`a.body.${field}.type`]: 'fail'
  })
})

test('who counts bytes in place of characters falls by the length', async () => {
  const count = (text: string) => Buffer.byteLength(text)
  expect(await odd(document, service({ count }))).toEqual({
    'a.body.name.max-length': 'fail',
    'a.body.note.max-length': 'fail'
  })
})

test('who takes nothing outside ASCII is not accused of counting bytes', async () => {
  const count = (text: string) => (/^[ -~]*$/.test(text) ? text.length : 99)
  expect(await odd(document, service({ count }))).toEqual({})
})

test('null of what is called nullable beside no type is nobody’s fault', async () => {
  const owner = { nullable: true, allOf: [{ type: 'object' }] }
  const own = { type: 'object', required: ['owner'], properties: { owner } }
  const requestBody = { required: true, content: { 'application/json': { schema: own } } }
  const post = { operationId: 'a', requestBody, responses: { 200: { description: 'ok' } } }
  const old = { openapi: '3.0.3', paths: { '/a': { post } } }
  const takesNull: Service = ({ body, headers }) => {
    if (headers['content-type'] !== 'application/json' || !isObject(body)) return [400]
    return [isObject(body.owner) || body.owner === null ? 200 : 400]
  }
  expect(await odd(old, takesNull)).toEqual({})
})
