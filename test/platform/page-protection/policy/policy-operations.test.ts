import { once } from 'node:events'
import { get as ask } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Platform, startPlatform } from '../../../../src/platform/platform.ts'
import { api, door } from '../../api.ts'

let running: Platform
let call: ReturnType<typeof api>
let path: string
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  call = api(running.announcement)
  path = `/zones/${running.announcement.zones.free}/page_shield/policies`
})
afterAll(() => running.close())

const policy = {
  description: 'Checkout',
  action: 'allow',
  expression: 'http.host eq "shop.example.test"',
  enabled: 'true',
  value: "script-src 'self' https://cdn.example.test"
}
const create = async (body: object = policy) => (await call('POST', path, { body })).json.result
const get = async (id: string) => (await call('GET', `${path}/${id}`)).json.result
const list = async () => (await call('GET', path)).json.result

test('a policy is created, read, changed, listed and deleted', async () => {
  const [one, other] = [await create(), await create({ ...policy, action: 'log' })]
  expect(one).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/), ...policy })
  expect(other.id).not.toBe(one.id)
  expect(await get(one.id)).toEqual(one)
  expect(await list()).toEqual([one, other])

  const changed = { ...one, description: 'Cart', enabled: 'false' }
  expect((await call('PUT', `${path}/${one.id}`, { body: changed })).json.result).toEqual(changed)
  expect(await get(one.id)).toEqual(changed)
  expect(await list()).toEqual([changed, other])

  const deleted = await call('DELETE', `${path}/${one.id}`)
  expect([deleted.status, deleted.json.result]).toEqual([200, { id: one.id }])
  expect((await call('GET', `${path}/${one.id}`)).status).toBe(404)
  expect((await call('DELETE', `${path}/${one.id}`)).status).toBe(404)
  expect(await list()).toEqual([other])
})

test.each([true, false, 'true', 'false'])('enabled comes back as %j', async (enabled) => {
  const { id } = await create({ ...policy, enabled })
  expect((await get(id)).enabled).toBe(enabled)
})

test('an update may be partial, and cannot change the id', async () => {
  const before = await create()
  const body = { id: 'abc', value: "script-src 'none'" }
  const { json } = await call('PUT', `${path}/${before.id}`, { body })
  expect(json.result).toEqual({ ...before, value: body.value })
})

test('a policy belongs to its zone', async () => {
  const { id } = await create()
  const elsewhere = `/zones/${running.announcement.zones.pro}/page_shield/policies`
  expect((await call('GET', elsewhere)).json.result).toEqual([])
  for (const method of ['GET', 'DELETE'])
    expect((await call(method, `${elsewhere}/${id}`)).status).toBe(404)
  expect((await call('PUT', `${elsewhere}/${id}`, { body: policy })).status).toBe(404)
  expect((await get(id)).id).toBe(id)
})

test.each([
  ...Object.keys(policy).map((field) => [field, { ...policy, [field]: undefined }]),
  ...Object.keys(policy).map((field) => [field, { ...policy, [field]: 7 }]),
  ['action', { ...policy, action: 'block' }],
  ['enabled', { ...policy, enabled: 'yes' }]
] as [string, object][])('without a good %s it is not created', async (field, body) => {
  const before = await list()
  const { status, json } = await call('POST', path, { body })
  expect([status, json.success]).toEqual([400, false])
  expect(json.errors[0].message).toContain(`${field}: `)
  expect(await list()).toEqual(before)
})

/** Everything a body can be made of to do harm, and the error that names what is wrong with it. */
const hostile: Record<string, [body: object | string, error: string]> = {
  'an expression that does not parse': [
    { ...policy, expression: 'http.host eq' },
    'expression: Filter parsing error (1:13):\nhttp.host eq\n            ^ '
  ],
  'an expression of no known field': [
    { ...policy, expression: 'ssl and\n constructor' },
    'Filter parsing error (2:2):\n constructor\n ^^^^^^^^^^^ unknown identifier'
  ],
  'an expression nested 100,000 deep': [
    { ...policy, expression: `${'('.repeat(100_000)}ssl` },
    'longer than 4096 characters'
  ],
  'an expression nested 2,000 deep': [
    { ...policy, expression: `${'not '.repeat(1_000)}ssl` },
    'Filter parsing error (1:'
  ],
  'a regular expression beyond all bounds': [
    { ...policy, expression: 'http.host matches "(((a{999}){999}){999}){999}"' },
    'Filter parsing error (1:'
  ],
  'an expression of 900,000 bytes': [
    { ...policy, expression: 'x'.repeat(900_000) },
    'longer than 4096 characters'
  ],
  'a value of 900,000 bytes': [
    { ...policy, value: `script-src ${'x'.repeat(900_000)}` },
    'value: must not be longer than 4096 characters'
  ],
  'a body of more than a mebibyte': [
    { ...policy, description: 'x'.repeat(1_048_576) },
    'larger than 1048576 bytes'
  ],
  'a header in the value': [
    { ...policy, value: "script-src 'self'\r\nSet-Cookie: a=b" },
    'value: must be printable ASCII'
  ],
  'another policy in the value': [
    { ...policy, value: "script-src 'none', script-src *" },
    'value: a comma would begin another policy'
  ],
  'a field named twice': ['{"value":"a","value":"b"}', 'value is there twice'],
  'the prototype': ['{"__proto__":{"value":"a"}}', '__proto__ is not a name'],
  'no object': ['[]', 'the body must be an object']
}

test.each(Object.entries(hostile))('%s is refused, with the reason', async (_, [body, error]) => {
  const before = await list()
  const { id } = await create()
  for (const [method, at] of [
    ['POST', path],
    ['PUT', `${path}/${id}`]
  ] as const) {
    const { status, json } = await call(method, at, { body })
    expect([status, json.success]).toEqual([status === 413 ? 413 : 400, false])
    expect(json.errors[0].message).toContain(error)
    expect(json.errors[0].message.length).toBeLessThan(10_000)
  }
  expect(await get(id)).toEqual({ id, ...policy })
  await call('DELETE', `${path}/${id}`)
  expect(await list()).toEqual(before)
})

test('a body that is not UTF-8 is refused', async () => {
  const { management, token } = running.announcement
  const body = Buffer.concat([
    Buffer.from('{"value":"'),
    Buffer.from([0xff, 0xfe]),
    Buffer.from('"}')
  ])
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const response = await fetch(management + path, { method: 'POST', headers, body })
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('it is not UTF-8')
})

test('a regular expression that would ruin a backtracking engine is taken', async () => {
  const expression = 'http.request.uri.path matches "^(([a-z])+.)+[A-Z]([a-z])+$"'
  expect((await create({ ...policy, expression })).expression).toBe(expression)
})

test('keys of a prototype are no fields', async () => {
  const { status, json } = await call('POST', path, {
    body: { ...policy, constructor: 1, toString: 2 }
  })
  expect([status, Object.keys(json.result)]).toEqual([200, ['id', ...Object.keys(policy)]])
})

test('policies that could make a zone unreachable are refused; those it has are sent', async () => {
  const { id, host } = (
    await door(running.announcement)('POST', '/zones', { plan: 'pro', origin: 'data:text/html,a' })
  ).json
  const own = `/zones/${id}/page_shield/policies`
  const body = { ...policy, expression: 'true' }
  let refused: Awaited<ReturnType<typeof call>> | undefined
  const made: string[] = []
  while (refused === undefined && made.length < 300) {
    const said = await call('POST', own, { body })
    if (said.status === 200) made.push(said.json.result.id)
    else refused = said
  }
  expect([refused?.status, refused?.json.success, refused?.json.result]).toEqual([400, false, null])
  expect(refused?.json.errors[0].message).toContain('may make 12288 bytes of response headers')
  const asked = ask(running.announcement.edge, { headers: { host } })
  const [response] = await once(asked, 'response')
  response.resume()
  expect(response.headersDistinct['content-security-policy']).toHaveLength(made.length)

  const value = `${policy.value} ${'x'.repeat(500)}`
  const grown = await call('PUT', `${own}/${made[0]}`, { body: { value } })
  expect([grown.status, (await call('GET', `${own}/${made[0]}`)).json.result.value]).toEqual([
    400,
    policy.value
  ])
  await call('PUT', `${own}/${made[1]}`, { body: { enabled: 'false' } })
  expect((await call('POST', own, { body })).status).toBe(200)
  expect((await call('PUT', `${own}/${made[1]}`, { body: { enabled: 'true' } })).status).toBe(400)
})

test('a zone has 500 policies at most, on and off', async () => {
  const { id } = (await door(running.announcement)('POST', '/zones', { plan: 'pro' })).json
  const own = `/zones/${id}/page_shield/policies`
  const body = { ...policy, enabled: 'false' }
  for (let count = 0; count < 500; count++)
    if ((await call('POST', own, { body })).status !== 200) throw new Error(`${count} made`)
  const { status, json } = await call('POST', own, { body })
  expect([status, json.errors[0].message]).toEqual([
    400,
    'a zone may have 500 policies at most; delete some before you add more'
  ])
})
