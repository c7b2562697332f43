import { expect, test } from 'vitest'
import { type Answered, odd, type Service, verdicts } from './asked.ts'

const uuid = '7f0c5c5a-8a55-4b1e-9a39-3f2f6d1f7a10'
const pet = {
  type: 'object',
  required: ['id', 'born'],
  properties: {
    id: { type: 'string', format: 'uuid' },
    born: { type: ['string', 'null'], format: 'date-time' },
    site: { type: 'string', format: 'uri' }
  }
}
const headers = {
  'X-Total': { required: true, schema: { type: 'integer', minimum: 0 } },
  'X-Page': { schema: { type: 'string', pattern: '^p\\d+$' } },
  'X-Flags': { schema: { type: 'array', items: { type: 'string', enum: ['new', 'old'] } } },
  'X-Until': { schema: { type: 'string', format: 'date-time' } },
  'X-Meta': { content: { 'application/json': { schema: { type: 'object', required: ['a'] } } } },
  'X-Free': { schema: { type: 'string' } },
  'Set-Cookie': { schema: { type: 'string', pattern: '^a=' } }
}

/** A document of one list of pets. */
function document(more: object = {}) {
  const schema = { type: 'array', items: { $ref: '#/components/schemas/Pet' } }
  const content = { 'application/json': { schema } }
  const responses = { 200: { description: 'all', headers, content }, ...more }
  const get = { operationId: 'a', responses, security: [{ key: [] }] }
  const securitySchemes = { key: { type: 'http', scheme: 'bearer' } }
  return {
    openapi: '3.1.0',
    components: { schemas: { Pet: pet }, securitySchemes },
    paths: { '/pets': { get } }
  }
}

const good = { id: uuid, born: '2026-03-04T05:06:07+01:00', site: 'https://example.com/a' }
const sent = { 'x-total': '2', 'x-page': 'p1', 'x-flags': 'new, old', 'x-meta': '{"a":1}' }
const until = { 'x-until': '2026-03-04T05:06:07Z', 'set-cookie': 'b=2' }

type Answer = { last?: object; more?: Record<string, string>; stranger?: Answered }

const pets =
  ({ last = good, more = {}, stranger = [401] }: Answer = {}): Service =>
  ({ headers }) =>
    headers.authorization === 'Bearer secret'
      ? [200, [good, { id: uuid, born: null }, last], undefined, { ...sent, ...until, ...more }]
      : stranger

const manner = { headers: { authorization: 'Bearer secret' } }
const asked = (service: Service, of = document()) => odd(of, service, manner)

test('an answer as documented passes, and what says nothing of a header is no clause', async () => {
  const found = await verdicts(document(), pets(), manner)
  expect(new Set(Object.values(found))).toEqual(new Set(['pass']))
  const ids = Object.keys(found).filter((id) => id.startsWith('a.answers'))
  expect(ids).toEqual(
    [
      ...['status', 'content-type', 'body', 'header.x-total', 'header.x-total.shape'],
      ...['header.x-page.shape', 'header.x-flags.shape', 'header.x-meta.shape', 'format']
    ].map((id) => `a.answers.${id}`)
  )
})

test.each<[string, Answer]>([
  ['a.answers.format', { last: { ...good, id: '17' } }],
  ['a.answers.format', { last: { ...good, born: '2026-03-04T05:06:07' } }],
  ['a.answers.format', { last: { ...good, site: '/a' } }],
  ['a.answers.format', { more: { 'x-until': 'soon' } }],
  ['a.answers.header.x-total.shape', { more: { 'x-total': '-1' } }],
  ['a.answers.header.x-total.shape', { more: { 'x-total': 'two' } }],
  ['a.answers.header.x-page.shape', { more: { 'x-page': '1' } }],
  ['a.answers.header.x-flags.shape', { more: { 'x-flags': 'new,odd' } }],
  ['a.answers.header.x-meta.shape', { more: { 'x-meta': '{}' } }]
])('%s alone falls where the last of a list, or a header, is %j', async (clause, answer) => {
  expect(await asked(pets(answer))).toEqual({ [clause]: 'fail' })
})

test('of what has not the documented shape no format is told', async () => {
  const found = await asked(pets({ last: { ...good, id: 17 } }))
  expect(found).toEqual({ 'a.answers.body': 'fail', 'a.answers.format': 'observed' })
})

test.each<Record<string, string>>([
  { 'x-total': '0' },
  { 'x-flags': 'old' },
  { 'x-until': 'Wed, 04 Mar 2026 05:06:07 GMT' }
])('another way to write a header is none: %j', async (more) => {
  expect(await asked(pets({ more }))).toEqual({})
})

test('a header that need not come and does not is only observed', async () => {
  const service: Service = (one) => {
    const [status, body, type, more] = pets()(one)
    const { 'x-page': _, ...rest } = { 'x-page': '', ...more }
    return [status, body, type, rest]
  }
  expect(await asked(service)).toEqual({ 'a.answers.header.x-page.shape': 'observed' })
})

const challenge = {
  401: {
    description: 'who is it',
    headers: {
      'WWW-Authenticate': { required: true, schema: { type: 'string', pattern: '^Bearer' } }
    }
  }
}
const ofChallenge = ['there', 'shape'].map((what) =>
  ['a.answers.401.header.www-authenticate', ...(what === 'shape' ? ['shape'] : [])].join('.')
)

test('headers of refusals are held to what is documented', async () => {
  const shown = (value: string): Answer => ({
    stranger: [401, undefined, undefined, { 'www-authenticate': value }]
  })
  const own = document(challenge)
  const found = await verdicts(own, pets(shown('Bearer realm="x"')), manner)
  for (const id of ofChallenge) expect([id, found[id]]).toEqual([id, 'pass'])
  const [there, shape] = ofChallenge
  expect(await asked(pets(shown('Basic')), own)).toEqual({ [shape!]: 'fail' })
  expect(await asked(pets(), own)).toEqual({ [there!]: 'fail', [shape!]: 'observed' })
  const other: Answer = { stranger: [403] }
  expect(await asked(pets(other), own)).toEqual({ [there!]: 'observed', [shape!]: 'observed' })
})

test('formats of refusals are advice as those of answers are', async () => {
  const content = {
    'application/json': { schema: { type: 'object', properties: { at: { format: 'date-time' } } } }
  }
  const own = document({ 401: { description: 'who is it', content } })
  const at = (text: string): Answer => ({ stranger: [401, { at: text }] })
  expect(await asked(pets(at('2026-03-04T05:06:07Z')), own)).toEqual({})
  expect(await asked(pets(at('2026-03-04')), own)).toEqual({ 'a.answers.401.format': 'fail' })
})

test('a header that only one of two successes has to have is not asked for', async () => {
  const second = { description: 'some', headers: { 'X-Total': { schema: { type: 'integer' } } } }
  const found = await verdicts(document({ 206: second }), pets(), manner)
  expect(Object.keys(found)).not.toContain('a.answers.header.x-total')
  expect(found['a.answers.header.x-total.shape']).toBe('pass')
})
