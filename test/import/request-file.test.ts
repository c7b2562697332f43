import { expect, test } from 'vitest'
import { type Fields, field, ids, json, ok, paths, requestOf } from './documents.ts'

test('nothing is deleted by an example, or by a name that is not said', () => {
  const id = { name: 'id', in: 'path', required: true, example: 1, schema: { type: 'integer' } }
  for (const parameters of [[id], []]) {
    const one = { operationId: 'a', parameters, ...ok }
    const { files } = paths({ '/a/{id}': { delete: one } })
    expect(files['limits/a/_request.ts']).toContain("unknown: ['path.id']")
  }
})

test('by a method that nobody knows no thing is touched that an example names', () => {
  const id = { name: 'id', in: 'path', required: true, example: 1, schema: { type: 'integer' } }
  const purge = { operationId: 'a', parameters: [id], ...ok }
  const found = paths({ '/a/{id}': { additionalOperations: { PURGE: purge } } })
  expect(requestOf(found)).toContain("unknown: ['path.id']")
})

test('what names a request is another in each', () => {
  const key = (schema: Fields) => ({ type: 'string', ...schema })
  const parameters = [
    { name: 'Idempotency-Key', in: 'header', required: true, schema: key({ format: 'uuid' }) }
  ]
  const freshOf = (schema: Fields) => {
    const body = { required: ['idempotency_key'], properties: { idempotency_key: key(schema) } }
    const requestBody = { required: true, content: json({ type: 'object', ...body }) }
    const found = paths({ '/a': { post: { operationId: 'a', parameters, requestBody, ...ok } } })
    return /fresh: (.*),/.exec(requestOf(found))?.[1]
  }
  expect(freshOf({ maxLength: 45 })).toBe("['header.Idempotency-Key', 'body.idempotency_key']")
  for (const odd of [{ maxLength: 8 }, { pattern: '^k$' }, { enum: ['k'] }, { format: 'date' }]) {
    expect(freshOf(odd)).toBe("['header.Idempotency-Key']")
  }
})

test('where a default is at an end, another value is known', () => {
  const by = { in: 'query' }
  const parameters = [
    { ...by, name: 'page', schema: { type: 'integer', minimum: 1, default: 1 } },
    { ...by, name: 'size', schema: { type: 'integer', minimum: 1, maximum: 9, default: 5 } },
    { ...by, name: 'order', schema: { type: 'string', enum: ['up', 'down'], default: 'up' } }
  ]
  const found = paths({ '/a': { get: { operationId: 'a', parameters, ...ok } } })
  expect(requestOf(found)).toContain("explicit: { 'query.page': 2, 'query.order': 'down' }")
})

test('a reference out of the document in one answer leaves other makings alone', () => {
  const made = (schema: unknown) => ({ responses: { 201: { content: json(schema) } } })
  const far = made({ $ref: 'http://127.0.0.1:1/far.json' })
  const near = made({ properties: { id: { type: 'string' } } })
  const { files } = paths({
    '/far': { post: { operationId: 'far', ...far } },
    '/far/{id}': { get: { operationId: 'get-far', ...ok } },
    '/near': { post: { operationId: 'near', ...near } },
    '/near/{id}': { get: { operationId: 'get-near', ...ok } }
  })
  expect(files['limits/get-near/_request.ts']).toContain("by: 'near'")
})

test('what an example names is made where it can be, and a text too long to be made is not', () => {
  const id = { name: 'id', in: 'path', required: true, example: 1, schema: { type: 'integer' } }
  const schema = { type: 'object', properties: { id: { type: 'integer' } } }
  const post = {
    operationId: 'p',
    responses: { 201: { description: 'made', content: json(schema) } }
  }
  const get = { operationId: 'a', parameters: [id], ...ok }
  expect(requestOf(paths({ '/a': { post }, '/a/{id}': { get } }))).toContain("make: { by: 'p'")
  expect(ids(field({ type: 'string', pattern: '^(((a{1000}){1000}){1000})$' }))).toContain(
    'a.body.x.pattern'
  )
})

test.each(['/a/{no}:send', '/a/{no}:send/x', '/a/{no}/x'])('what %s is about is made', (path) => {
  const schema = { type: 'object', properties: { no: { type: 'integer' } } }
  const made = { responses: { 201: { description: 'made', content: json(schema) } } }
  const all = { '/a': { post: { operationId: 'p', ...made } }, '/a/{no}:pay': { post: ok } }
  const found = paths({ ...all, [path]: { post: { operationId: 'a', ...ok } } })
  expect(requestOf(found)).toContain("make: { by: 'p', take: { 'path.no': 'no' } }")
})
