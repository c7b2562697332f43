import { expect, test } from 'vitest'
import { type Answered, type Asked, odd, type Service, verdicts } from './asked.ts'

const json = (schema: object) => ({ 'application/json': { schema } })
const problem = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'integer' }, message: { type: 'string' } }
}
const refused = { description: 'refused', content: json({ $ref: '#/components/schemas/Problem' }) }

/** A document whose one operation makes a pet, and what it says of refusals. */
function document(refusals: object, more: object = {}) {
  const name = { type: 'string', minLength: 2, maxLength: 8 }
  const schema = { type: 'object', required: ['name'], properties: { name } }
  const requestBody = { required: true, content: json(schema) }
  const responses = { 201: { description: 'made' }, ...refusals }
  const post = { operationId: 'a', requestBody, responses, security: [{ key: [] }], ...more }
  const securitySchemes = {
    key: { type: 'http', scheme: 'bearer' },
    o: { type: 'oauth2', flows: {} }
  }
  const components = { schemas: { Problem: problem }, securitySchemes }
  return { openapi: '3.1.0', components, paths: { '/pets': { post } } }
}

const headers = { authorization: 'Bearer secret' }

/** The service, with what it answers by the status of a refusal. */
const pets =
  (answers: (status: number) => unknown, type?: string, invalid = 400): Service =>
  ({ headers, body }) => {
    const refusal = (status: number): Answered => [status, answers(status), type]
    if (headers.authorization === 'Bearer narrow') return refusal(403)
    if (headers.authorization !== 'Bearer secret') return refusal(401)
    if (headers['content-type'] !== 'application/json') return refusal(415)
    const isRight = typeof body?.name === 'string' && /^.{2,8}$/.test(body.name)
    return isRight ? [201] : refusal(invalid)
  }

const told = (status: number) => ({ code: status, message: 'no' })
const both = { 400: refused, 401: refused, 415: refused }
const ids = (...statuses: (string | number)[]) => statuses.map((one) => `a.answers.${one}.body`)
const all = (outcome: string, ...of: string[]) => Object.fromEntries(of.map((id) => [id, outcome]))

test('refusals of the documented shape pass, and each documented status is a clause', async () => {
  const found = await verdicts(document(both), pets(told), { headers })
  expect(found).toMatchObject(all('pass', ...ids(400, 401, 415)))
  expect(Object.values(found).filter((outcome) => outcome !== 'pass')).toEqual([])
})

test.each<[string, (status: number) => unknown, string | undefined, (string | number)[]]>([
  ['a field less', (code) => (code === 400 ? { code } : told(code)), undefined, [400]],
  ['a text', (code) => (code === 401 ? { code: 'x', message: '' } : told(code)), undefined, [401]],
  ['of HTML', () => '<p>no</p>', 'text/html', [400, 401, 415]],
  ['of nothing', () => undefined, undefined, [400, 401, 415]],
  ['as a problem', told, 'application/problem+json', [400, 401, 415]]
])('a refusal with %s falls by its status alone', async (_, answers, type, fallen) => {
  const found = await odd(document(both), pets(answers, type), { headers })
  expect(found).toEqual(all('fail', ...ids(...fallen)))
})

test('who refuses with another status than is documented is not accused', async () => {
  const found = await odd(
    document({ 400: refused }),
    pets(() => '', 'text/plain', 422),
    { headers }
  )
  expect(found).toEqual(all('observed', ...ids(400)))
  expect(await odd(document({ 422: refused }), pets(told, undefined, 422), { headers })).toEqual({})
})

test('a class of statuses, and a default, are held to where nothing else is said', async () => {
  for (const name of ['4XX', 'default']) {
    const own = document({ [name]: refused })
    expect(await odd(own, pets(told), { headers })).toEqual({})
    const id = ids(name.toLowerCase())
    expect(
      await odd(
        own,
        pets(() => ({})),
        { headers }
      )
    ).toEqual(all('fail', ...id))
  }
  const named = document({ 400: { description: 'no' }, '4XX': refused })
  expect(
    await odd(
      named,
      pets((status) => (status === 400 ? undefined : told(status))),
      { headers }
    )
  ).toEqual({})
})

test('a refusal of somebody of samples.yaml who lacks a scope is held to its shape', async () => {
  const own = document({ 401: refused, 403: refused }, { security: [{ o: ['pets.write'] }] })
  const samples = 'identities: { limited: { header: Bearer narrow, scopes: [] } }'
  expect(await odd(own, pets(told), { headers, samples })).toEqual({})
  const broken = pets((status) => (status === 403 ? {} : told(status)))
  expect(await odd(own, broken, { headers, samples })).toEqual(all('fail', ...ids(403)))
  const alone = await odd(own, pets(told), { headers })
  expect(alone).toEqual({ 'a.auth.scope': 'blocked', ...all('observed', ...ids(403)) })
})

test.each<[schema: { type: string; pattern?: string; [more: string]: unknown }, lost: string]>([
  [{ type: 'integer', minimum: 1 }, '/pets/2000000011'],
  [{ type: 'string', format: 'uuid' }, '/pets/00000000-0000-4000-8000-00000000dead'],
  [{ type: 'string', pattern: '^[a-z]{8}$' }, '/pets/zzzzzzzz']
])('what names nothing is asked for where a path has %j', async (schema, lost) => {
  const id = { name: 'id', in: 'path', required: true, schema, example: 7 }
  const responses = { 200: { description: 'it' }, 404: refused }
  const get = { operationId: 'a', parameters: [id], responses }
  const components = { schemas: { Problem: problem } }
  const own = { openapi: '3.1.0', components, paths: { '/pets/{id}': { get } } }
  const service =
    (answer: unknown): Service =>
    ({ path }: Asked) => {
      if (path === lost) return [404, answer]
      const [, value = ''] = /\/pets\/(.*)/.exec(path) ?? []
      if (schema.type === 'integer') return [/^[1-9]\d*$/.test(value) ? 200 : 400]
      return [schema.pattern ? (/^[a-z]{8}$/.test(value) ? 200 : 400) : 200]
    }
  const found = await verdicts(own, service(told(404)))
  expect(found['a.answers.404.body']).toBe('pass')
  expect((await verdicts(own, service({})))['a.answers.404.body']).toBe('fail')
})

test('what cannot be provoked is not asked about', async () => {
  const statuses = { 402: refused, 404: refused, 409: refused, 429: refused, 500: refused }
  const found = await verdicts(document(statuses), pets(told), { headers })
  expect(Object.keys(found).filter((id) => /answers\.\d/.test(id))).toEqual([])
  const head = { operationId: 'a', responses: { 200: { description: 'ok' }, 404: refused } }
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }
  const own = { openapi: '3.1.0', components: { schemas: { Problem: problem } } }
  const paths = { '/a/{id}': { parameters: [id], head, delete: { ...head, operationId: 'b' } } }
  expect(Object.keys(await verdicts({ ...own, paths }, () => [200])).join()).not.toMatch(/404/)
})
