import { expect, test } from 'vitest'
import { type Answered, odd } from './asked.ts'

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
