import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { api } from '../api.ts'

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
