import { stripTypeScriptTypes } from 'node:module'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { requestPlan } from '../../src/import/clauses.ts'
import { type Imported, importOpenApi } from '../../src/import/openapi.ts'
import { operationsOf } from '../../src/import/operations.ts'
import { firstFiles } from '../../src/import/project.ts'
import { createShapes } from '../../src/import/shapes.ts'
import { parseSource } from '../../src/import/source.ts'
import { shapeFinding } from '../../src/scenario/shape.ts'

const imported = (text: string) => importOpenApi(parseSource(text, 'api.yaml'), 'limits')
type Fields = Record<string, unknown>
const paths = (given: Fields, components: Fields = {}, openapi = '3.1.0') =>
  imported(JSON.stringify({ openapi, paths: given, components }))
const json = (schema: unknown) => ({ 'application/json': { schema } })
const posted = (schema: unknown, components: Fields = {}, openapi = '3.1.0') => {
  const requestBody = { required: true, content: json(schema) }
  return paths(
    { '/a': { post: { operationId: 'a', requestBody, responses: {} } } },
    components,
    openapi
  )
}
/** What is written where a body has one field, which may be left out. */
const field = (schema: unknown, ...more: [components?: Fields, openapi?: string]) =>
  posted({ type: 'object', properties: { x: schema } }, ...more)
const ids = ({ clauses }: Imported) => clauses.map(({ id }) => id)
const ok = { responses: { 204: { description: 'done' } } }

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

test('nothing is deleted by an example, or by a name that is not said', () => {
  const id = { name: 'id', in: 'path', required: true, example: 1, schema: { type: 'integer' } }
  for (const parameters of [[id], []]) {
    const one = { operationId: 'a', parameters, ...ok }
    const { files } = paths({ '/a/{id}': { delete: one } })
    expect(files['limits/a/_request.ts']).toContain("unknown: ['path.id']")
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
  [{ type: 'string', minLength: 3, maxLength: 120 }, 'max-length', 4],
  [{ type: 'string', minLength: 3, maxLength: 3 }, 'max-length', 3],
  [{ type: 'array', items: { type: 'string' }, minItems: 2, maxItems: 9 }, 'max-items', 3],
  [{ type: 'integer', minimum: 2, maximum: 9 }, 'maximum', 3],
  [{ type: 'integer', multipleOf: 5, minimum: 10, maximum: 50 }, 'maximum', 15]
])(
  'what %j takes at most is asked within it, not at its other end',
  (schema, keyword, smallest) => {
    const { files } = field(schema)
    expect(files[`limits/a/body-x-${keyword}.ts`]).toContain(`smallest: ${smallest},`)
  }
)

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

test('what a pattern counts is asked about at its number', () => {
  const { files } = field({ type: 'string', pattern: '^\\+[0-9]{7,15}$' })
  const values = files['limits/a/values.ts']!
  const lengths = [...values.matchAll(/'(\+\d+)'/g)].map(([, text]) => text!.length)
  expect(lengths).toEqual(expect.arrayContaining([7, 17]))
})

test('a body of plain text is asked about as a text', () => {
  const schema = { type: 'string', minLength: 2, maxLength: 5_000 }
  const requestBody = { required: true, content: { 'text/plain': { schema } } }
  const { files } = paths({ '/a': { put: { operationId: 'a', requestBody, responses: {} } } })
  expect(files['limits/a/body-max-length.ts']).toContain('max: 5000')
  expect(files['limits/a/values.ts']).toContain("at: 'body', accepted: ['xx'], refused: ['x']")
})

test('as few properties as there must be are some that it knows', () => {
  const text = { type: 'string' }
  const closed = { additionalProperties: false, properties: { b: text, c: text } }
  const values = (schema: Fields) =>
    field({ type: 'object', minProperties: 2, ...schema }).files['limits/a/values.ts']
  const least = /min-properties': \{\s+at: 'body.x',\s+accepted: \[(.*)\],\s+refused: \[(.*)\]/
  const [, accepted, refused] = least.exec(values(closed)!)!
  expect([accepted, refused]).toEqual(["{ b: 'xxxxx', c: 'xxxxx' }", "{ b: 'xxxxx' }"])
  expect(values({ ...closed, properties: { b: text } })).not.toContain('min-properties')
})

test('two lists of values allow what both have', () => {
  const x = { allOf: [{ type: 'string', enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }
  expect(field(x).files['limits/a/values.ts']).toContain("accepted: ['b'], refused: ['none")
})

test('no text is called valid that is of a format which is not known', () => {
  const values = (schema: Fields) => field(schema).files['limits/a/values.ts']
  expect(values({ type: 'string', format: 'phone' })).toContain("{ at: 'body.x', refused: [{}] }")
  expect(values({ type: 'string', format: 'phone', example: '+1 2' })).toContain(
    "accepted: ['+1 2']"
  )
  expect(values({ type: 'string', format: 'int64' })).toContain("accepted: ['1']")
  const bytes = field({ type: 'string', format: 'byte', maxLength: 10 })
  expect(ids(bytes)).not.toContain('a.body.x.max-length')
})

test('items that are counted are short enough, however many', () => {
  const items = { type: 'string', maxLength: 2 }
  const list = { type: 'array', uniqueItems: true, maxItems: 50, items }
  expect(ids(field(list))).not.toContain('a.body.x.max-items')
})

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

test.each([
  [{ minimum: 0.1, maximum: 0.4 }, 0.15],
  [{ minimum: 0.07, maximum: 0.07, multipleOf: 0.01 }, 0.07],
  [{ exclusiveMinimum: 0, exclusiveMaximum: 0.001 }, 0.0005],
  [{ exclusiveMinimum: 0, maximum: 1e-7 }, 1e-7],
  [{ maximum: -2.5 }, -2.55]
])('a number is found within %j', (range, value) => {
  const schema = { type: 'number', ...range }
  const properties = { x: schema }
  const found = requestOf(posted({ type: 'object', required: ['x'], properties }))
  const [, text] = /body: \{ x: (\S+)/.exec(found)!
  expect(Number(text)).toBe(value)
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
  expect(values).toContain("refused: ['!', 'x', 'ke', ")
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

test('by a method that nobody knows no thing is touched that an example names', () => {
  const id = { name: 'id', in: 'path', required: true, example: 1, schema: { type: 'integer' } }
  const purge = { operationId: 'a', parameters: [id], ...ok }
  const found = paths({ '/a/{id}': { additionalOperations: { PURGE: purge } } })
  expect(requestOf(found)).toContain("unknown: ['path.id']")
})

test('beside a bound a number is asked about that is near to it', () => {
  const bounds = { minimum: -2.5, exclusiveMaximum: 1 }
  const asked = askedOf({ type: 'number', ...bounds })
  expect(asked.minimum).toMatchObject({ accepted: [-2.5], refused: [-2.51] })
  expect(asked['exclusive-maximum']).toMatchObject({ accepted: [0.99], refused: [1] })
  const whole = askedOf({ type: 'integer', exclusiveMaximum: 9 })
  expect(whole['exclusive-maximum']).toMatchObject({ accepted: [8], refused: [9] })
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

test('a path with a fragment is left out, and told', () => {
  const { operations, left } = paths({ '/#Action=X': { post: { operationId: 'a', ...ok } } })
  expect([operations, [...left.keys()]]).toEqual([0, [expect.stringContaining('/#Action=X')]])
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

test.each([
  [{ type: 'file' }],
  [{ type: { of: 1 } }],
  [{ enum: 'abc' }],
  [{ minLength: '3' }],
  [{ maxItems: null }],
  [{ multipleOf: 0 }]
])('an answer is not held against what nobody knows: %j', (schema) => {
  const source = parseSource(JSON.stringify({ openapi: '3.1.0', paths: {} }), 'api.json')
  expect(createShapes(source).of({ value: schema, pointer: '' })).toEqual({})
})

test('what is only written is not required of an answer, wherever that is said', () => {
  const schemas = { Secret: { type: 'string', writeOnly: true }, Plain: { type: 'string' } }
  const source = parseSource(
    JSON.stringify({ openapi: '3.1.0', components: { schemas } }),
    'a.json'
  )
  const [a, b] = ['Secret', 'Plain'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
  const value = { required: ['a', 'b'], properties: { a, b } }
  expect(createShapes(source).of({ value, pointer: '' })).toMatchObject({ required: ['b'] })
})

test('a name that is only written elsewhere in the same value is not required of an answer', () => {
  const schemas = { Base: { properties: { secret: { type: 'string', writeOnly: true } } } }
  const source = parseSource(
    JSON.stringify({ openapi: '3.1.0', components: { schemas } }),
    'a.json'
  )
  const base = { $ref: '#/components/schemas/Base' }
  const shapes = createShapes(source)
  const holds = (value: unknown) =>
    shapeFinding({ id: 1 }, shapes.of({ value, pointer: '' }), shapes.defs)?.holds
  const required = ['secret', 'id']
  expect(holds({ allOf: [base, { required }] })).toBe(true)
  expect(holds({ allOf: [base], required })).toBe(true)
  expect(holds({ allOf: [base], required: ['name'] })).toBe(false)
})

const day = { type: 'string', format: 'date' }
const moment = { type: 'string', format: 'date-time' }
const cat = { required: ['kind'], properties: { kind: { type: 'string' } } }

test.each([
  ['a format', { oneOf: [day, moment] }, '2026-03-04', 5],
  ['a format behind a reference', { oneOf: [{ $ref: '#/components/schemas/D' }, moment] }, 'x', 5],
  ['none of a format', { type: 'string', not: { format: 'uuid' } }, 'x', 5],
  ['where a format', { if: { format: 'uuid' }, else: { type: 'integer' }, type: 'string' }, 'x', 5],
  ['none of another file', { type: 'string', not: { $ref: 'other.yaml' } }, 'x', 5],
  [
    'what a discriminator names',
    { oneOf: [cat, { ...cat, type: 'object' }], discriminator: { propertyName: 'kind' } },
    { kind: 'cat' },
    {}
  ]
])(
  'an answer is not refused by a choice of which something is left out: %s',
  (_, value, good, bad) => {
    const source = parseSource(
      JSON.stringify({ openapi: '3.1.0', components: { schemas: { D: day } } }),
      'a.json'
    )
    const shapes = createShapes(source)
    const shape = shapes.of({ value, pointer: '' })
    const found = [good, bad].map((one) => shapeFinding(one, shape, shapes.defs)?.holds)
    expect(found).toEqual([true, false])
  }
)

test('of two alternatives that can be told apart an answer is one, and not both', () => {
  const source = parseSource(JSON.stringify({ openapi: '3.1.0' }), 'a.json')
  const value = { oneOf: [{ minimum: 3 }, { type: 'integer' }] }
  const shape = createShapes(source).of({ value, pointer: '' })
  expect([2, 5, 3.5].map((one) => shapeFinding(one, shape)?.holds)).toEqual([true, false, true])
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

const files = (found: Imported) => found.files as Record<string, string>
const requestOf = (found: Imported) => files(found)['limits/a/_request.ts']!

test('what two parts say of one field holds together', () => {
  const part = (x: Fields) => ({ properties: { x } })
  const found = posted({
    allOf: [
      part({ type: 'number', pattern: '^a', multipleOf: 4, minimum: 12 }),
      part({ type: 'integer', pattern: 'b$', multipleOf: 6, maximum: 60 })
    ]
  })
  expect(ids(found)).toEqual(expect.arrayContaining(['a.body.x.minimum', 'a.body.x.maximum']))
  const values = files(found)['limits/a/values.ts']!
  expect(values).toContain("'a.body.x.multiple-of': { at: 'body.x', accepted: [24]")
})

test('what can be but null is null', () => {
  const found = posted({
    required: ['x', 'y'],
    properties: { x: { type: 'null' }, y: { enum: [null] } }
  })
  expect(requestOf(found)).toContain('valid: { body: { x: null, y: null } }')
})

test.each([
  [{ $ref: '#/components/schemas/Pet' }, 'cat'],
  [{ $ref: '#/components/schemas/Cat' }, 'cat'],
  [{ $ref: '#/components/schemas/Dog' }, 'Dog'],
  [{ oneOf: ['B', 'A'].map((name) => ({ $ref: `#/components/schemas/${name}` })), by: 'kind' }, 'b']
])('a discriminator says what %j is called', ({ by, ...schema }: Fields, name) => {
  const kind = { type: 'string', example: 'none of them' }
  const plain = { type: 'object', required: ['kind'], properties: { kind } }
  const to = (one: string) => `#/components/schemas/${one}`
  const Pet = { ...plain, discriminator: { propertyName: 'kind', mapping: { cat: to('Cat') } } }
  const one = { allOf: [{ $ref: to('Pet') }] }
  const mapping = { b: to('B'), a: 'A' }
  const body = by ? { ...schema, discriminator: { propertyName: by, mapping } } : schema
  const found = posted(body, { schemas: { Pet, Cat: one, Dog: one, A: plain, B: plain } })
  expect(requestOf(found)).toContain(`valid: { body: { kind: '${name}' } }`)
})

test('a required body of which something is not known keeps its clauses, and says what', () => {
  const odd = { type: 'string', pattern: '(?=a)(?=b)x' }
  const inner = { type: 'object', required: ['z'], properties: { z: odd } }
  const name = { type: 'string', maxLength: 4 }
  const found = posted({ required: ['inner'], properties: { inner, name } })
  expect(ids(found)).toContain('a.body.name.max-length')
  expect(requestOf(found)).toContain("missing: { 'body.inner.z': 'no valid value was found")
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

const mail = /^[a-z]{1,64}@([a-z]{1,63}\.)+[a-z]{1,63}$/
test.each<[format: string, most: number, least: number, isOne: RegExp]>([
  ['email', 60, 13, mail],
  ['email', 76, 15, mail],
  ['email', 139, 77, mail],
  ['email', 140, 78, mail],
  ['email', 253, 191, mail],
  ['uri', 100, 20, /^https:\/\/example\.com\/x*$/]
])(
  'of the format %s there are texts of up to %d letters, and one more',
  (format, most, least, isOne) => {
    const { files } = field({ type: 'string', format, maxLength: most })
    const text = files['limits/a/body-x-max-length.ts'] ?? ''
    const [, from = ''] = /smallest: (\d+)/.exec(text) ?? []
    const [, made = ''] = /'body\.x': (.*) \}\)$/m.exec(text) ?? []
    expect(Number(from)).toBe(least)
    for (let n = least; n <= most + 1; n++) {
      const sent: string = runInNewContext(made, { n })
      expect([n, sent]).toEqual([sent.length, expect.stringMatching(isOne)])
    }
  }
)

test.each([
  ['email', 254],
  ['email', 12],
  ['uri', 19]
])('of %s with %d letters at most nothing of such sizes is asked', (format, maxLength) => {
  expect(ids(field({ type: 'string', format, maxLength }))).not.toContain('a.body.x.max-length')
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

/** What is asked of a field `x`, by keyword. */
const askedOf = (schema: unknown, openapi = '3.1.0') => {
  const requestBody = { content: json({ type: 'object', properties: { x: schema } }) }
  const value = { openapi, paths: { '/a': { post: { operationId: 'a', requestBody } } } }
  const source = parseSource(JSON.stringify(value), 'api.json')
  const { clauses } = requestPlan(source, operationsOf(source).operations[0]!)
  return Object.fromEntries(
    clauses.map(({ clause, asked }) => [clause.id.split('.').at(-1), asked])
  )
}

test.each([
  ['^[0-9]{13}$', ['[0-9]{13}$', '^[0-9]{13}', '^[0-9]{12,13}$', '^[0-9]{13,14}$', '^[0-9X]{13}$']],
  ['^[a-z]+$', ['[a-z]+$', '^[a-z]+', '^[a-zA-Z]+$', '^[a-z0-9]+$', '^[a-z_]+$', '^[a-z-]+$']],
  [
    '^[A-Z]{2}-[0-4]{3}$',
    ['^[A-Za-z]{2}-[0-4]{3}$', '^[A-Z]{2}-[0-5]{3}$', '^[A-Z]{1,2}-[0-4]{3}$']
  ],
  ['^/[a-z]+$', ['^/?[a-z]+$']]
])('a text that hardly does not match %s is refused', (pattern, looser) => {
  const { refused } = askedOf({ type: 'string', pattern }).pattern as { refused: string[] }
  expect(refused.filter((text) => new RegExp(pattern, 'u').test(text))).toEqual([])
  const isSeen = (other: string) => refused.some((text) => new RegExp(other, 'u').test(text))
  expect(looser.filter((other) => !isSeen(other))).toEqual([])
})

test('a value of a list in other letters is refused, and null is taken where it may be', () => {
  const { enum: listed } = askedOf({ type: 'string', enum: ['hard', 'Soft'] })
  expect(listed).toMatchObject({ refused: expect.arrayContaining(['HARD', 'none-of-these']) })
  const nullable = { type: 'string', maxLength: 9, nullable: true }
  expect(askedOf(nullable, '3.0.3').type).toMatchObject({ accepted: ['xxxxx', null] })
  expect(askedOf(nullable).type).toMatchObject({ accepted: ['xxxxx'] })
  const either = { type: ['integer', 'null'] }
  expect(askedOf(either).type).toMatchObject({ accepted: [1, null] })
  const choice = { anyOf: [{ type: 'integer' }, { type: 'null' }] }
  expect(askedOf(choice).type).toMatchObject({ accepted: [1, null] })
  const named = { type: ['string', 'null'], enum: ['a', null] }
  expect(askedOf(named).enum).toMatchObject({ accepted: ['a', null] })
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
