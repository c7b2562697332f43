import { expect, test } from 'vitest'
import { type Answered, odd, type Service } from './asked.ts'

const name = { type: 'string', minLength: 2, maxLength: 8 }
const size = { type: 'integer', minimum: 1, maximum: 9 }
const schema = { type: 'object', required: ['name'], properties: { name, size } }
const requestBody = { required: true, content: { 'application/json': { schema } } }

/** A document of a form that has been taken when one is led on. */
function document(responses: object, security: object[] = [{ key: [] }]) {
  const post = { operationId: 'a', requestBody, responses, security }
  const securitySchemes = { key: { type: 'http', scheme: 'bearer' } }
  return { openapi: '3.1.0', components: { securitySchemes }, paths: { '/orders': { post } } }
}

const headers = { authorization: 'Bearer secret' }
const seeOther = { 303: { description: 'taken' }, 400: { description: 'refused' } }

let count = 0
const ledTo = (location: string, status = 303): Answered => [
  status,
  undefined,
  undefined,
  { location }
]

/** What takes orders; whom it does not let in, and what it does not take, it answers otherwise. */
const orders =
  ({
    most = 8,
    stranger = [401] as Answered,
    refusal = [400] as Answered,
    status = 303
  } = {}): Service =>
  ({ headers, body }) => {
    if (headers.authorization !== 'Bearer secret') return stranger
    if (headers['content-type'] !== 'application/json') return [415]
    const { name, size = 1 } = Object(body)
    const isRight =
      typeof name === 'string' &&
      [...name].length >= 2 &&
      [...name].length <= most &&
      Number.isInteger(size) &&
      size >= 1 &&
      size <= 9
    return isRight ? ledTo(`/orders/${++count}`, status) : refusal
  }

test('a redirect that is the only documented success is one', async () => {
  expect(await odd(document(seeOther), orders(), { headers })).toEqual({})
  const any = { '3XX': { description: 'taken' } }
  expect(await odd(document(any), orders({ status: 302 }), { headers })).toEqual({})
})

test('what is led on and should not be taken fails by its clause', async () => {
  const found = await odd(document(seeOther), orders({ most: 9 }), { headers })
  expect(found).toEqual({ 'a.body.name.max-length': 'fail' })
  const open = orders({ stranger: ledTo('/orders/0') })
  expect(await odd(document(seeOther), open, { headers })).toEqual({
    'a.auth.none': 'fail',
    'a.auth.wrong': 'fail',
    'a.auth.altered': 'fail'
  })
})

test.each(['/orders?error=name', '/orders/new?id=7&validation_errors=1', '?formError=name'])(
  'who is led to %s is told what was wrong, which is a refusal',
  async (place) => {
    const refusal = ledTo(place)
    expect(await odd(document(seeOther), orders({ refusal }), { headers })).toEqual({})
    const found = await odd(document(seeOther), orders({ refusal, most: 9 }), { headers })
    expect(found).toEqual({ 'a.body.name.max-length': 'fail' })
    const few = await odd(document(seeOther), orders({ refusal, most: 7 }), { headers })
    expect(few).toEqual({ 'a.body.name.max-length': 'fail' })
    const all = await odd(document(seeOther), () => refusal, { headers })
    expect(new Set(Object.values(all))).toEqual(new Set(['blocked']))
    const strangers = await odd(document(seeOther), orders({ stranger: refusal }), { headers })
    expect(Object.values(strangers)).not.toContain('fail')
  }
)

test.each(['/orders/new', '/orders/form', '/login?error=1', 'https://id.example.com/'])(
  'who is led to %s instead has not been served',
  async (place) => {
    const found = await odd(document(seeOther), orders({ refusal: ledTo(place) }), { headers })
    expect(Object.values(found)).not.toContain('fail')
    expect(Object.values(found)).toContain('left')
    const strangers = await odd(document(seeOther), orders({ stranger: ledTo(place) }), { headers })
    expect(Object.values(strangers)).not.toContain('fail')
  }
)

test('a redirect of another status, or to where one signs in, is no success', async () => {
  const other = await odd(document(seeOther), orders({ status: 302 }), { headers })
  expect(new Set(Object.values(other))).toEqual(new Set(['blocked']))
  const unknown = await odd(document(seeOther), () => ledTo('/login?to=orders'), { headers })
  expect(new Set(Object.values(unknown))).toEqual(new Set(['blocked']))
})

test('beside another success a redirect is none', async () => {
  const both = { 201: { description: 'made' }, ...seeOther }
  const found = await odd(document(both), orders(), { headers })
  expect(new Set(Object.values(found))).toEqual(new Set(['blocked']))
})
