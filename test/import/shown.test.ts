import { expect, test } from 'vitest'
import { type Fields, files, ok, paths } from './documents.ts'

test('who is let in by one of two is asked without the other', () => {
  const K = { type: 'apiKey', in: 'header', name: 'X-Api-Key' }
  const securitySchemes = { K, L: { type: 'http', scheme: 'bearer' } }
  const schema = { type: 'string' }
  // Many a document lists the credential as a parameter, too.
  const parameters = [{ name: 'X-API-Key', in: 'header', required: true, schema }]
  const get = { operationId: 'a', parameters, security: [{ K: [] }, { L: [] }], ...ok }
  const { files } = paths({ '/a': { get } }, { securitySchemes })
  const [, wrong] = /'a\.auth\.wrong': \{([^}]+)\}/.exec(files['limits/a/auth.ts']!)!
  expect(wrong).toContain("'x-api-key': 'plimsoll-wrong'")
  expect(wrong).toContain("authorization: 'Bearer plimsoll-wrong'")
  expect(files['limits/a/_request.ts']).toContain('valid: {}')
})

test('a credential in a query is taken from samples, and asked about', () => {
  const securitySchemes = {
    key: { type: 'apiKey', in: 'query', name: 'api_key' },
    token: { type: 'http', scheme: 'bearer' }
  }
  const of = (security: Fields[]) => {
    const get = { operationId: 'a', security, ...ok }
    return files(paths({ '/a': { get } }, { securitySchemes }))
  }
  const alone = of([{ key: [] }])
  expect(alone['limits/a/_request.ts']).toContain("missing: { 'query.api_key': 'a credential")
  expect(alone['limits/a/auth.ts']).toContain("'a.auth.none': { 'query.api_key': undefined }")
  expect(alone['limits/a/auth.ts']).toContain("'query.api_key': 'plimsoll-wrong'")
  const either = of([{ key: [] }, { token: [] }])
  expect(either['limits/a/_request.ts']).not.toContain('missing')
  expect(either['limits/a/auth.ts']).toMatch(/none': \{ authorization: undefined, 'query.api_key'/)
})

test.each<[Record<string, string[]>[], string | undefined]>([
  [[{ o: ['r'] }, { k: [] }], "{ 'x-key': undefined, authorization: limited }"],
  [[{ o: ['r'], k: [] }], '{ authorization: limited }'],
  [[{ o: ['r'] }, { o: [] }], undefined],
  [[{ o: ['r'], k: [] }, { k: [] }], undefined]
])('of %j nobody with a narrower credential is let in by %s', (security, headers) => {
  const securitySchemes = {
    o: { type: 'oauth2', flows: {} },
    k: { type: 'apiKey', in: 'header', name: 'X-Key' }
  }
  const found = paths({ '/a': { get: { operationId: 'a', security, ...ok } } }, { securitySchemes })
  const text = files(found)['limits/a/auth-scope.ts']
  expect(/headers = (.*)/.exec(text ?? '')?.[1]).toBe(headers)
  if (headers !== undefined) expect(text).toContain("const scopes = [['r']]")
})
