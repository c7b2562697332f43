import { describe, expect, test } from 'vitest'
import { type Answered, odd, type Service } from './asked.ts'

type Fields = Record<string, any>

const content = (schema: object) => ({ 'application/json': { schema } })

/** One operation whose body has these fields, all of them required. */
const documentOf = (properties: Fields) => {
  const schema = { type: 'object', required: Object.keys(properties), properties }
  const requestBody = { required: true, content: content(schema) }
  const post = { operationId: 'a', requestBody, responses: { 200: { description: 'ok' } } }
  return { openapi: '3.1.0', paths: { '/a': { post } } }
}

/** A service that takes a body of JSON of which something holds. */
const takes =
  (holds: (body: Fields) => boolean): Service =>
  ({ body, headers }): Answered => {
    if (headers['content-type'] !== 'application/json') return [415]
    const isObject = body !== null && typeof body === 'object' && !Array.isArray(body)
    return [isObject && holds(body) ? 200 : 422]
  }

const isText = (value: unknown, least: number, most: number) =>
  typeof value === 'string' && value.length >= least && value.length <= most

const password = { type: 'string', minLength: 8, maxLength: 64, example: 'Passw0rd!x' }
const zone = { type: 'string', minLength: 3, maxLength: 40, example: 'Europe/Berlin' }
const team = { type: 'integer', minimum: 1, example: 30 }
const currency = { type: 'string', minLength: 3, maxLength: 3, example: 'EUR' }
const cursor = { type: 'string', minLength: 1, maxLength: 200, example: 'c_7f' }

const isStrong = (value: string) => /\d/.test(value) && /[A-Z]/.test(value)

describe('who knows what is there when it sees it is accused of nothing', () => {
  test.each([
    ['a password', password, (x: any) => isText(x, 8, 64) && isStrong(x)],
    ['a time zone', zone, (x: any) => ['Europe/Berlin', 'Asia/Tokyo'].includes(x)],
    ['a team', team, (x: any) => [30, 31, 32].includes(x)],
    ['a currency', currency, (x: any) => ['EUR', 'USD', 'GBP'].includes(x)],
    ['a cursor', cursor, (x: any) => isText(x, 1, 200) && /^c_[0-9a-f]+$/.test(x)]
  ])('%s', async (_, schema, holds) => {
    const found = await odd(
      documentOf({ x: schema }),
      takes(({ x }) => holds(x))
    )
    expect(Object.values(found)).not.toContain('fail')
  })
})

test('of one length the text of the document comes before one that is made up', async () => {
  const known = takes(({ x }) => ['EUR', 'USD'].includes(x))
  const found = await odd(documentOf({ x: currency }), known)
  expect(found).not.toHaveProperty(['a.body.x.min-length'])
})

test.each([
  [password, 'min-length', (x: any) => isText(x, 9, 64)],
  [zone, 'min-length', (x: any) => isText(x, 4, 40)],
  [team, 'minimum', (x: any) => Number.isInteger(x) && x >= 2],
  [cursor, 'min-length', (x: any) => isText(x, 2, 200)]
])('who refuses the end of %j alone falls', async (schema, keyword, holds) => {
  const found = await odd(
    documentOf({ x: schema }),
    takes(({ x }) => holds(x))
  )
  expect(found).toEqual({ [`a.body.x.${keyword}`]: 'fail' })
})

test('an end that nothing is known of is told so, and not passed', async () => {
  const found = await odd(
    documentOf({ x: team }),
    takes(({ x }) => [30, 31].includes(x))
  )
  expect(found).toEqual({ 'a.body.x.minimum': 'observed' })
})

describe('an example at an end of what is taken', () => {
  const shortest = { type: 'string', minLength: 3, maxLength: 9, example: 'abc' }
  const least = { type: 'integer', minimum: 2, maximum: 9, multipleOf: 1, example: 2 }
  const holds = ({ x, y }: Fields) => isText(x, 3, 9) && Number.isInteger(y) && y >= 2 && y <= 9

  test('is what is sent, as it is known to be taken', async () => {
    const seen = new Set<string>()
    const known = takes(({ x }) => {
      seen.add(x)
      return x === 'abc'
    })
    const found = await odd(documentOf({ x: shortest }), known)
    expect(found).toEqual({ 'a.body.x.max-length': 'blocked' })
    expect(seen).toContain('abc')
  })

  test('keeps both sides asked about', async () => {
    expect(await odd(documentOf({ x: shortest, y: least }), takes(holds))).toEqual({})
  })

  test.each([
    ['a.body.x.min-length', (x: any, y: any) => isText(x, 4, 9) && y >= 2],
    ['a.body.x.min-length', (x: any, y: any) => isText(x, 2, 9) && y >= 2],
    ['a.body.y.minimum', (x: any, y: any) => isText(x, 3, 9) && y >= 3],
    ['a.body.y.minimum', (x: any, y: any) => isText(x, 3, 9) && y >= 1]
  ])('has nothing but %s fall where that is off by one', async (clause, isRight) => {
    const own = takes(({ x, y }) => Number.isInteger(y) && y <= 9 && isRight(x, y))
    expect(await odd(documentOf({ x: shortest, y: least }), own)).toEqual({ [clause]: 'fail' })
  })

  const within = (isPage: (page: number) => boolean): Service => {
    return ({ query }) => {
      const page = query.get('page')
      const isOne = page === null || (/^\d+$/.test(page) && isPage(Number(page)))
      return [isOne ? 200 : 400]
    }
  }

  test.each(['default', 'example'])(
    'has its type asked beside it, where it is the %s',
    async (is) => {
      const schema = { type: 'integer', minimum: 1, maximum: 50, [is]: 1 }
      const parameters = [{ name: 'page', in: 'query', schema }]
      const get = { operationId: 'a', parameters, responses: { 200: { description: 'ok' } } }
      const document = { openapi: '3.0.3', paths: { '/a': { get } } }
      expect(
        await odd(
          document,
          within((page) => page >= 1 && page <= 50)
        )
      ).toEqual({})
      const found = await odd(
        document,
        within((page) => page >= 2 && page <= 50)
      )
      expect(found).toEqual({ 'a.query.page.minimum': 'fail' })
    }
  )
})
