import { expect, test } from 'vitest'
import { odd, type Service } from './asked.ts'

const name = { type: 'string', minLength: 2, maxLength: 8 }
const customer = { type: 'string', pattern: '^cus_[a-z0-9]{4,8}$' }
const order = {
  type: 'object',
  required: ['customer', 'name', 'at'],
  additionalProperties: false,
  properties: {
    customer,
    name,
    at: { type: 'object', required: ['shop'], properties: { shop: { type: 'integer' } } }
  }
}
const content = { 'application/json': { schema: order } }
const post = {
  operationId: 'a',
  requestBody: { required: true, content },
  responses: { 201: { description: 'made' } }
}
const document = { openapi: '3.1.0', paths: { '/orders': { post } } }

const isObject = (x: any) => x !== null && typeof x === 'object' && !Array.isArray(x)

/** A service that knows one customer and one shop, and takes no name twice. */
function orders({ most = 8, status = 422, isUnique = false, others = '' } = {}): Service {
  const names = new Set<string>()
  return ({ body, headers }) => {
    if (headers['content-type'] !== 'application/json') return [415]
    const isClosed = isObject(body) && Object.keys(body).every((key) => key in order.properties)
    if (!isClosed || typeof body.customer !== 'string') return [422]
    if (!isObject(body.at) || !Number.isInteger(body.at.shop)) return [422]
    if (typeof body.name !== 'string' || body.name.length < 2 || body.name.length > most)
      return [422]
    if (body.customer.length > 12) return [422]
    if (body.customer !== 'cus_real' && body.customer !== others) return [status]
    if (body.at.shop !== 17) return [status]
    if (isUnique && names.has(body.name)) return [409]
    names.add(body.name)
    return [201]
  }
}

const set = 'set: { body.customer: cus_real, body.at.shop: 17 }'
const samples = `operations: { a: { ${set} } }`

test('who knows only what samples.yaml names is not accused of what is made up', async () => {
  for (const status of [422, 404]) {
    const found = await odd(document, orders({ status }), { samples })
    expect(found).toEqual({})
  }
  const found = await odd(document, orders({ most: 9 }), { samples })
  expect(found).toEqual({ 'a.body.name.max-length': 'fail' })
  const loose = await odd(document, orders({ others: 'cus_m4m' }), { samples })
  expect(loose).toEqual({ 'a.body.customer.pattern': 'fail' })
})

test('what is made anew is so within what is asked about, too', async () => {
  const unique = `operations: { a: { ${set}, fresh: [body.name] } }`
  const long = structuredClone(document)
  const { schema } = long.paths['/orders'].post.requestBody.content['application/json']
  Object.assign(schema.properties.name, { maxLength: 40 })
  const service = orders({ most: 40, isUnique: true })
  for (let run = 0; run < 2; run++)
    expect(await odd(long, service, { samples: unique })).toEqual({})
  const found = await odd(long, orders({ most: 41, isUnique: true }), { samples: unique })
  expect(found).toEqual({ 'a.body.name.max-length': 'fail' })
})

test('of a limit of what only samples.yaml can name nothing is said but that', async () => {
  const own = structuredClone(document)
  const { schema } = own.paths['/orders'].post.requestBody.content['application/json']
  schema.properties.customer = { type: 'string', maxLength: 12 } as any
  const found = await odd(own, orders(), { samples })
  expect(found).toEqual({ 'a.body.customer.max-length': 'blocked' })
})

test('what samples.yaml has for a parameter that may be any takes no limit away', async () => {
  const limit = { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 9 } }
  const get = { operationId: 'a', parameters: [limit], responses: { 200: { description: 'ok' } } }
  const own = { openapi: '3.1.0', paths: { '/a': { get } } }
  const lists =
    (most: number): Service =>
    ({ query }) => {
      const asked = query.get('limit') ?? '1'
      return [/^\d+$/.test(asked) && Number(asked) >= 1 && Number(asked) <= most ? 200 : 400]
    }
  const given = { samples: 'parameters: { limit: 5 }' }
  expect(await odd(own, lists(9), given)).toEqual({})
  expect(await odd(own, lists(8), given)).toEqual({ 'a.query.limit.maximum': 'fail' })
  expect(await odd(own, lists(10), given)).toEqual({ 'a.query.limit.maximum': 'fail' })
})

test('to find out what is taken nothing is deleted but what was made', async () => {
  const asked: string[] = []
  const id = { name: 'id', in: 'path', required: true, example: 7, schema: { type: 'integer' } }
  const one = { operationId: 'a', parameters: [id], responses: { 204: { description: 'gone' } } }
  const paths = { '/things/{id}': { delete: one } }
  await odd(
    { openapi: '3.1.0', paths },
    ({ method, path }) => {
      asked.push(`${method} ${path}`)
      return [path === '/things/17' ? 204 : 404]
    },
    { samples: 'parameters: { id: 17 }' }
  )
  expect(asked).not.toContain('DELETE /things/7')
})

test('a bound in a path falls, though samples.yaml names a thing that is there', async () => {
  const schema = { type: 'integer', minimum: 1 }
  const id = { name: 'id', in: 'path', required: true, schema }
  const one = { operationId: 'a', parameters: [id], responses: { 200: { description: 'it' } } }
  const own = { openapi: '3.1.0', paths: { '/things/{id}': { get: one } } }
  const things =
    (least: number): Service =>
    ({ path }) => {
      const number = Number(path.slice('/things/'.length))
      if (!Number.isInteger(number) || number < least) return [422]
      return [number === 17 ? 200 : 404]
    }
  const given = { samples: 'parameters: { id: 17 }' }
  expect(await odd(own, things(1), given)).toEqual({})
  expect(await odd(own, things(2), given)).toEqual({ 'a.path.id.minimum': 'fail' })
})
