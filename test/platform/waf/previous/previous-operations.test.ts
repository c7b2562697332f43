import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Platform, startPlatform } from '../../../../src/platform/platform.ts'
import { api, door } from '../../api.ts'

let running: Platform
let call: ReturnType<typeof api>
let path: string
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  call = api(running.announcement)
  const zone = await door(running.announcement)('POST', '/zones', { plan: 'pro' })
  path = `/zones/${zone.json.id}/firewall/waf`
})
afterAll(() => running.close())

const result = async (at: string) => (await call('GET', `${path}/${at}`)).json.result
const patch = async (at: string, body: object) => call('PATCH', `${path}/${at}`, { body })

/** The packages in the order in which they are listed: the service's own, then OWASP. */
const packages = () => result('packages')

test('there are two packages, and the OWASP one can be set', async () => {
  const [service, owasp] = await packages()
  expect(service).toMatchObject({ detection_mode: 'traditional' })
  expect(owasp).toMatchObject({
    detection_mode: 'anomaly',
    sensitivity: 'default',
    action_mode: 'block'
  })
  const { json } = await patch(`packages/${owasp.id}`, { sensitivity: 'low' })
  expect(json.result).toEqual({ ...owasp, sensitivity: 'low' })
  expect(await result(`packages/${owasp.id}`)).toEqual(json.result)
  await patch(`packages/${owasp.id}`, { action_mode: 'simulate' })
  expect(await packages()).toEqual([
    service,
    { ...owasp, sensitivity: 'low', action_mode: 'simulate' }
  ])
  expect((await patch(`packages/${service.id}`, { sensitivity: 'low' })).status).toBe(404)
  expect((await patch(`packages/${owasp.id}`, { sensitivity: 'odd' })).status).toBe(400)
  expect((await patch('packages/abc', {})).status).toBe(404)
})

test.each([
  ['groups', 0, 'off'],
  ['groups', 1, 'off'],
  ['rules', 0, 'simulate'],
  ['rules', 1, 'off']
] as const)('%s of package %i change their mode', async (part, number, mode) => {
  const { id } = (await packages())[number]
  const list = await result(`packages/${id}/${part}`)
  const [first, second] = list
  expect(await result(`packages/${id}/${part}/${first.id}`)).toEqual(first)
  const { json } = await patch(`packages/${id}/${part}/${first.id}`, { mode })
  expect(json.result).toMatchObject({ id: first.id, mode })
  const after = await result(`packages/${id}/${part}`)
  expect(after.map((one: { mode: string }) => one.mode).slice(0, 2)).toEqual([mode, second.mode])
  expect((await patch(`packages/${id}/${part}/${first.id}`, { mode: 'odd' })).status).toBe(400)
  expect((await patch(`packages/${id}/${part}/abc`, { mode })).status).toBe(404)
})

test('a group tells how many of its rules were changed', async () => {
  const [{ id }] = await packages()
  const [rule] = (await result(`packages/${id}/rules`)).toReversed()
  await patch(`packages/${id}/rules/${rule.id}`, { mode: 'block' })
  const group = await result(`packages/${id}/groups/${rule.group.id}`)
  expect(group).toMatchObject({ modified_rules_count: 1, package_id: id })
  expect(group.rules_count).toBeGreaterThan(1)
})

test('URI-based overrides come and go', async () => {
  const body = { urls: ['*/legacy/*'], description: 'Old' }
  const { json } = await call('POST', `${path}/overrides`, { body })
  expect(json.result).toMatchObject({ ...body, groups: {}, rules: {}, paused: false })
  expect(await result('overrides')).toEqual([json.result])
  for (const urls of [[], ['a b'], 'x'])
    expect((await call('POST', `${path}/overrides`, { body: { urls } })).status).toBe(400)
  const { id } = json.result
  expect((await call('DELETE', `${path}/overrides/${id}`)).json.result).toEqual({ id })
  expect((await call('DELETE', `${path}/overrides/${id}`)).status).toBe(404)
  expect(await result('overrides')).toEqual([])
})

test('there is a switch for all of it', async () => {
  const at = path.replace('/firewall/waf', '/settings/waf')
  expect((await call('GET', at)).json.result).toEqual({ id: 'waf', value: 'off' })
  await call('PATCH', at, { body: { value: 'on' } })
  expect((await call('GET', at)).json.result.value).toBe('on')
  expect((await call('PATCH', at, { body: { value: true } })).status).toBe(400)
})

test('who may only read may not change, and who has no permission may not read', async () => {
  const [, { id }] = await packages()
  const as = (token: string) => ({ authorization: `Bearer ${token}` })
  const { readOnlyToken, noPermissionToken } = running.announcement
  const reading = { headers: as(readOnlyToken) }
  expect((await call('GET', `${path}/packages`, reading)).status).toBe(200)
  const writing = { ...reading, body: { sensitivity: 'high' } }
  expect((await call('PATCH', `${path}/packages/${id}`, writing)).status).toBe(403)
  const nobody = { headers: as(noPermissionToken) }
  expect((await call('GET', `${path}/packages`, nobody)).status).toBe(403)
})
