import { stripTypeScriptTypes } from 'node:module'
import { expect, test } from 'vitest'
import { firstFiles } from '../../src/import/project.ts'
import { field, ids, imported, json, ok, paths, posted } from './documents.ts'

test.each(['constructor', 'toString', '__proto__'])('a field may be called %s', (name) => {
  const properties = JSON.parse(`{ "${name}": { "type": "string", "maxLength": 3 } }`)
  const found = posted({ type: 'object', properties })
  expect(found.files['limits/a/_request.ts']).toContain('valid: { body: {} }')
  const limits = Object.values(found.files).filter((text) => text.includes('max: 3,'))
  expect(limits).toHaveLength(1)
})

test.each([
  [{ type: 'string', format: 'constructor' }],
  [{ type: 'constructor' }],
  [{ type: 'file', maxLength: 3 }],
  [{ type: { of: 1 } }]
])('what nobody knows is no fault: %j', (schema) => {
  expect(ids(field(schema))).toContain('a.body.content-type')
})

test('a name in other letters is its own, whatever stands before it', () => {
  const names = ['取得', '創る', 'crée']
  const all = names.map((operationId, n) => [`/${n}`, { get: { operationId, ...ok } }])
  expect(ids(paths(Object.fromEntries(all)))).toEqual(
    ['u53d6-u5f97', 'u5275-u308b', 'cree'].map((name) => `${name}.answers.status`)
  )
})

test('a response that is nothing is left alone', () => {
  const found = paths({ '/a': { get: { operationId: 'a', responses: { 200: null, 201: {} } } } })
  expect(found.clauses[0]!.documented).toBe('a valid request is answered with 201')
})

test('a reference that is not percent-encoded leads where it says', () => {
  const one = { $ref: '#/components/schemas/100%' }
  expect(ids(field(one, { schemas: { '100%': { type: 'string', maxLength: 3 } } }))).toContain(
    'a.body.x.max-length'
  )
})

test('long names are cut, and each clause has its own scenario', () => {
  const long = 'f'.repeat(400)
  const nested = { type: 'object', properties: { line: { type: 'string', maxLength: 4 } } }
  const line = { type: 'string', maxLength: 3 }
  const properties = { address_line: line, address: nested, [long]: line, [`${long}2`]: line }
  const { files, clauses } = posted({ type: 'object', properties })
  const limits = Object.keys(files).filter(
    (path) => path.endsWith('-length.ts') || /-\d\.ts$/.test(path)
  )
  expect(limits).toHaveLength(clauses.filter(({ kind }) => kind === 'limit').length)
  const operation = paths({ '/a': { get: { operationId: long, ...ok } } })
  for (const path of [...Object.keys(files), ...Object.keys(operation.files)]) {
    expect(Math.max(...path.split('/').map((part) => part.length))).toBeLessThan(250)
  }
})

test('a range of content types takes what it takes', () => {
  const requestBody = {
    required: true,
    content: { 'application/*': {}, ...json({ type: 'object' }) }
  }
  const found = paths({ '/a': { post: { operationId: 'a', requestBody, responses: {} } } })
  expect(ids(found)).not.toContain('a.body.content-type')
})

test('the answer to a HEAD has no body', () => {
  const responses = { 200: { description: 'ok', content: json({ type: 'object' }) } }
  const found = paths({ '/a': { head: { operationId: 'a', responses } } })
  expect(ids(found)).toEqual(['a.answers.status', 'a.answers.content-type'])
})

test.each([
  ['3.0.3', '10'],
  ['3.1.0', '3']
])('beside a reference, %s says %s', (version, most) => {
  const schemas = { N: { type: 'string', maxLength: 10 } }
  const one = { $ref: '#/components/schemas/N', maxLength: 3 }
  const { clauses } = field(one, { schemas }, version)
  expect(clauses.find(({ id }) => id === 'a.body.x.max-length')!.documented).toBe(most)
  const responses = { 200: { description: 'ok', content: json({ properties: { x: one } }) } }
  const { files } = paths({ '/a': { get: { operationId: 'a', responses } } }, { schemas }, version)
  expect(files['limits/a/_request.ts']!.includes('maxLength: 3')).toBe(version === '3.1.0')
})

test.each([
  ['not', { type: 'string', not: { enum: ['xxxxx'] } }],
  ['prefixItems', { type: 'array', prefixItems: [{ type: 'string' }], minItems: 2, maxItems: 2 }],
  ['contains', { type: 'array', contains: { const: 5 }, items: { type: 'integer', maximum: 10 } }],
  ['propertyNames', { type: 'object', maxProperties: 3, propertyNames: { maxLength: 3 } }],
  [
    'dependentRequired',
    { type: 'object', properties: { a: { type: 'string' } }, dependentRequired: { a: ['b'] } }
  ],
  ['if', { allOf: [{ type: 'object', if: { required: ['t'] } }, { maxProperties: 2 }] }]
])('what %s says is not understood, and nothing beside it is asked about', (keyword, schema) => {
  const found = field(schema, {}, '3.1.0')
  expect(ids(found).filter((id) => id.startsWith('a.body.x'))).toEqual([])
  expect([...found.leftAt].map(([because]) => because)).toContain(`what is said by ${keyword}`)
})

test('what a document describes and nobody can ask for is told', () => {
  const securitySchemes = { tls: { type: 'mutualTLS' } }
  const get = { operationId: 'a', security: [{ tls: [] }], callbacks: { done: {} }, ...ok }
  const post = { operationId: 'b', security: [{ lost: [] }], ...ok }
  const put = { operationId: 'c', security: [], ...ok }
  const value = {
    openapi: '3.1.0',
    webhooks: { one: {}, two: {} },
    components: { securitySchemes }
  }
  const { left } = imported(
    JSON.stringify({
      ...value,
      paths: { '/a': { get, post, put }, b: { get: ok }, '/c': { bad: 1 } }
    })
  )
  const told = [...left].map(([why, times]) => `${times} ${why}`).join('\n')
  for (const what of [
    '2 webhooks: requests of the service, not to it',
    '1 callbacks: requests of the service, not to it',
    '2 a way to be let in that no header shows',
    ': lost of #/paths/~1a/post/security/0 is not as OpenAPI has it',
    ': b of #/paths is not as OpenAPI has it'
  ]) {
    expect(told).toContain(what)
  }
})

test('a path with a fragment is left out, and told', () => {
  const { operations, left } = paths({ '/#Action=X': { post: { operationId: 'a', ...ok } } })
  expect([operations, [...left.keys()]]).toEqual([0, [expect.stringContaining('/#Action=X')]])
})

test('a header that is referred to is required where that says so', () => {
  const headers = { 'X-A': { $ref: '#/components/headers/A' }, 'X-B': null }
  const get = { operationId: 'a', responses: { 200: { description: 'ok', headers } } }
  const found = paths({ '/a': { get } }, { headers: { A: { required: true } } })
  expect(ids(found)).toEqual(['a.answers.status', 'a.answers.header.x-a'])
})

test('dates of YAML 1.1 are texts', () => {
  const one =
    '{ name: d, in: query, required: true, example: 2020-01-02, schema: { type: string } }'
  const get = `{ operationId: a, parameters: [${one}], responses: {} }`
  const { files } = imported(`%YAML 1.1\n---\nopenapi: 3.0.0\npaths: { /a: { get: ${get} } }\n`)
  expect(files['limits/a/_request.ts']).toContain("valid: { query: { d: '2020-01-02' } }")
})

test('schemas within themselves in many ways end', () => {
  const all = Array.from({ length: 10 }, (_, n) => ({ $ref: `#/components/schemas/K${n}` }))
  const kind = { type: 'object', required: ['a'], properties: { a: { oneOf: all } } }
  const T = { allOf: Array(3).fill({ $ref: '#/components/schemas/T' }) }
  const schemas = Object.fromEntries(all.map((_, n) => [`K${n}`, kind]))
  expect(posted(all[0], { schemas }).files['limits/a/_request.ts']).toContain('no valid value')
  expect(ids(posted({ $ref: '#/components/schemas/T' }, { schemas: { T } }))).toContain(
    'a.body.required'
  )
}, 30_000)

test('aliases of what is large end with a clear error', () => {
  const large = `a: &a [${'0,'.repeat(20_000)}]\nb: [${'*a,'.repeat(900)}]\n`
  expect(() => imported(`openapi: 3.0.0\npaths: {}\n${large}`)).toThrow(/more than \d+ values/)
}, 30_000)

test('the name of a folder is a text in the config', () => {
  const { 'plimsoll.config.ts': config } = firstFiles({
    scenarios: "it's",
    url: 'http://127.0.0.1'
  })
  expect(config).toContain("scenarios: './it\\'s'")
})

test.each(['_'.repeat(64), `a${'-'.repeat(41)}b`])(
  'keys of one letter are TypeScript: %s',
  (name) => {
    const properties = { [name]: { type: 'string', minLength: 2, maxLength: 3 } }
    const required = [name]
    const { files, clauses } = posted({ type: 'object', properties, required })
    expect(clauses.length).toBeGreaterThan(2)
    for (const [path, text] of Object.entries(files)) {
      if (path.endsWith('.ts')) expect(() => stripTypeScriptTypes(text), path).not.toThrow()
    }
  }
)

test('scenarios of what may be asked so often know that', () => {
  const limited = { operationId: 'a', 'x-ratelimit': { limit: 5, window: '2s' }, ...ok }
  const { files } = paths({ '/a': { get: limited }, '/b': { get: { operationId: 'b', ...ok } } })
  expect(files['limits/a/_request.ts']).toContain('rate: { requests: 5, seconds: 2 }')
  const isExpected = Object.entries(files).flatMap(([path, text]) =>
    text.includes('expectedReplies: [429]') ? [path] : []
  )
  expect(isExpected.toSorted()).toEqual(['limits/a/answers.ts', 'limits/a/rate.ts'])
})

test.each([
  [{ type: 5 }, 'type'],
  [{ properties: [1] }, 'properties'],
  [{ required: 'a' }, 'required'],
  [{ type: 'string', enum: 'abc' }, 'enum'],
  [{ type: 'string', pattern: 5 }, 'pattern'],
  [{ type: 'string', maxLength: '5' }, 'maxLength'],
  [{ type: 'integer', minimum: {} }, 'minimum'],
  [{ type: 'array', items: [1], uniqueItems: 'no' }, 'items'],
  [{ allOf: {} }, 'allOf'],
  [{ oneOf: 'x' }, 'oneOf'],
  [{ additionalProperties: 'x' }, 'additionalProperties'],
  [{ format: 5 }, 'format'],
  [{ discriminator: 'kind' }, 'discriminator']
])('what is not as OpenAPI has it is left out, and told: %j', (schema, name) => {
  const { left } = field(schema)
  expect([...left.keys()].join()).toContain(
    `api.yaml:1: ${name} of #/paths/~1a/post/requestBody/content/`
  )
})

test('an operation that is not as OpenAPI has it is told', () => {
  const { left } = paths({
    '/a': { get: { parameters: { a: 1 }, responses: [] }, post: 'x' },
    '/b': { post: { requestBody: [1], security: {}, ...ok }, put: { requestBody: { content: 1 } } },
    '/c': 5
  })
  const told = [...left.keys()].map((why) => why.split(' ')[1])
  expect(told.toSorted()).toEqual(
    ['/c', 'content', 'parameters', 'post', 'requestBody', 'responses', 'security'].toSorted()
  )
})
