import { expect, test } from 'vitest'
import { type Fields, files, ids, ok, paths, requestOf } from './documents.ts'

test.each([
  [{ style: 'pipeDelimited' }, "separators: { ids: '|' }"],
  [{ style: 'spaceDelimited', explode: false }, "separators: { ids: ' ' }"],
  [{ explode: false }, "separators: { ids: ',' }"],
  [{ style: 'deepObject' }, "missing: { 'query.ids': 'ids: how it is written' }"]
])('a list of a query is written as %j says, or not at all', (style, written) => {
  const schema = { type: 'array', items: { type: 'string' } }
  const own = { name: 'ids', in: 'query', required: true, schema, ...style }
  const { files } = paths({ '/a': { get: { operationId: 'a', parameters: [own], ...ok } } })
  expect(files['limits/a/_request.ts']).toContain(written)
})

test('of a list in a query nobody asks whether it may have no items: it would not be there', () => {
  const schema = { type: 'array', items: { type: 'string' }, minItems: 1 }
  const get = { operationId: 'a', parameters: [{ name: 'q', in: 'query', schema }], ...ok }
  expect([...paths({ '/a': { get } }).leftAt]).toEqual([
    ['a list of none', ['a.query.q.min-items (line 1)']]
  ])
})

test('the fields of a whole query are parameters, and other methods are asked', () => {
  const q = { type: 'string', maxLength: 5 }
  const form = { required: ['q'], properties: { q, page: { type: 'integer', maximum: 9 } } }
  const content = (type: string) => ({ [type]: { schema: form } })
  const whole = (type: string) => [{ in: 'querystring', required: true, content: content(type) }]
  const found = paths({
    '/a': {
      query: {
        ...{ operationId: 'a', parameters: whole('application/x-www-form-urlencoded'), ...ok }
      },
      additionalOperations: {
        COPY: { operationId: 'b', parameters: whole('application/json'), ...ok },
        get: ok,
        'NO WAY': ok
      },
      trace: ok
    }
  })
  expect(ids(found)).toEqual([
    ...['a.query.q.required', 'a.query.q.max-length', 'a.query.page.maximum', 'a.query.page.type'],
    ...['a.answers.status', 'b.answers.status']
  ])
  expect(requestOf(found)).toContain("method: 'QUERY'")
  expect(requestOf(found)).toContain("valid: { query: { q: 'xxxx' } }")
  const other = (found.files as Record<string, string>)['limits/b/_request.ts']
  expect(other).toContain("method: 'COPY'")
  expect(other).toMatch(/missing: .*how it is written, as application\/json/)
  const told = [...found.left.keys()].join('\n')
  for (const what of ['TRACE is not asked', ': get of #', ': NO WAY of #']) {
    expect(told).toContain(what)
  }
})

test('what does not come as it is sent in a header is not asked about there', () => {
  const one = (name: string, schema: Fields, place = 'header') => ({ in: place, name, schema })
  const parameters = [
    one('x-least', { type: 'string', minLength: 1 }),
    one('x-code', { type: 'string', pattern: '^[a-z]{3}$' }),
    one('x-kind', { enum: ['é', 'ok'] }),
    one('x-most', { type: 'string', pattern: '^ä+$', maxLength: 5 }),
    one('session', { type: 'string', pattern: '^[a-z]{3}$' }, 'cookie'),
    one('Content-Length', { type: 'integer', minimum: 1 })
  ]
  const found = paths({ '/a': { get: { operationId: 'a', parameters, ...ok } } })
  const values = files(found)['limits/a/values.ts']!
  expect(values).not.toMatch(/[§é]|' '|x-least/)
  expect(values).toContain("refused: ['!', 'x', 'mm', ")
  expect(ids(found)).not.toContain('a.header.content-length.minimum')
  const told = [...found.leftAt.values()].flat().join()
  for (const id of ['a.header.x-least.min-length', 'a.header.x-most.max-length']) {
    expect(told).toContain(id)
  }
  const required = [{ ...one('x-odd', { enum: ['é'] }), required: true }]
  const odd = paths({ '/a': { get: { operationId: 'a', parameters: required, ...ok } } })
  expect(requestOf(odd)).toContain("missing: { 'header.x-odd': 'no valid value was found")
})

test('a parameter of a path that has no such place is told, and not asked about', () => {
  const parameters = [{ name: 'petId', in: 'path', required: true, schema: { maxLength: 3 } }]
  const found = paths({ '/pets/{id}': { get: { operationId: 'a', parameters, ...ok } } })
  expect(ids(found)).toEqual(['a.answers.status'])
  expect([...found.left.keys()].join()).toContain('0 of #/paths/~1pets~1{id}/get/parameters is not')
})
