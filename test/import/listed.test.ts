import { expect, test } from 'vitest'
import { type Answered, odd, type Service } from './asked.ts'

const documentOf = (path: string, ...names: string[]) => {
  const kind = { name: 'kind', in: 'path', required: true, schema: { enum: ['sales', 'stock'] } }
  const others = names.map((name) => ({
    ...{ name, in: 'path', required: true },
    schema: { type: 'string', example: 'known' }
  }))
  const responses = { 200: { description: 'ok' }, 404: { description: 'none' } }
  const get = { operationId: 'a', parameters: [kind, ...others], responses }
  return { openapi: '3.0.3', paths: { [path]: { get } } }
}

/** A service that serves some paths. */
const serving =
  (...paths: string[]) =>
  ({ path }: { path: string }): Answered => [paths.includes(path) ? 200 : 404]

test('who serves but some of the listed values of a path falls', async () => {
  const document = documentOf('/reports/{kind}')
  expect(await odd(document, serving('/reports/sales', '/reports/stock'))).toEqual({})
  const found = await odd(document, serving('/reports/sales'))
  expect(found).toEqual({ 'a.path.kind.enum': 'fail' })
})

test('what something else in the path names may be there for one of them alone', async () => {
  const document = documentOf('/reports/{kind}/{id}', 'id')
  expect(await odd(document, serving('/reports/sales/known'))).toEqual({})
})

test('a list of all the different values that there are is taken', async () => {
  const schema = { type: 'array', uniqueItems: true, maxItems: 3, items: { enum: ['a', 'b', 'c'] } }
  const body = { type: 'object', properties: { x: schema } }
  const requestBody = { required: true, content: { 'application/json': { schema: body } } }
  const post = { operationId: 'a', requestBody, responses: { 200: { description: 'ok' } } }
  const document = { openapi: '3.1.0', paths: { '/a': { post } } }
  const takes =
    (most: number): Service =>
    ({ body, headers }) => {
      if (headers['content-type'] !== 'application/json') return [415]
      const { x = [] } = Object(body)
      const isList = Array.isArray(x) && new Set(x).size === x.length && x.length <= most
      const isBody = body !== null && typeof body === 'object' && !Array.isArray(body)
      return [isBody && isList && x.every((one) => ['a', 'b', 'c'].includes(one)) ? 200 : 400]
    }
  expect(await odd(document, takes(3))).toEqual({})
  expect(await odd(document, takes(2))).toEqual({ 'a.body.x.max-items': 'fail' })
})
