import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { door } from '../api.ts'

let running: Platform
let control: ReturnType<typeof door>
let zone: string
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  control = door(running.announcement)
  zone = `/zones/${running.announcement.zones.pro}`
})
afterAll(() => running.close())

const seed = (body: object) => control('PATCH', `${zone}/previous-waf`, body)

test('a seed says what is to change, and leaves the rest', async () => {
  const pageRules = [{ url: '*/a/*', waf: 'off' }]
  await seed({ enabled: true, pageRules })
  const { json } = await seed({
    owasp: { sensitivity: 'low', groupsOff: 2, rulesOff: 3 },
    uriOverrides: ['*/b/*'],
    firewallRules: [{ expression: 'ssl', action: 'bypass' }]
  })
  expect(json).toMatchObject({
    ...{ enabled: true, pageRules },
    owasp: { sensitivity: 'low', action: 'block' },
    uriOverrides: [{ urls: ['*/b/*'], paused: false }],
    firewallRules: [{ expression: 'ssl', action: 'bypass', description: '' }]
  })
  expect(Object.keys(json.owasp.groups)).toHaveLength(2)
  expect(Object.keys(json.owasp.rules)).toHaveLength(3)
  expect((await seed({ uriOverrides: [] })).json.uriOverrides).toEqual([])
})

test.each<[fault: string, body: object]>([
  ['enabled', { enabled: 'yes' }],
  ['unknown', { unknown: 1 }],
  ['owasp.sensitivity', { owasp: { sensitivity: 'odd' } }],
  ['owasp.groupsOff', { owasp: { groupsOff: -1 } }],
  ['firewallRules.0.expression', { firewallRules: [{ expression: 'ssl and', action: 'bypass' }] }],
  ['firewallRules.0.action', { firewallRules: [{ expression: 'ssl', action: 'allow' }] }],
  ['pageRules.0', { pageRules: [{ url: '*' }] }],
  ['uriOverrides.0', { uriOverrides: ['a b'] }]
])('a seed with a wrong %s is refused', async (fault, body) => {
  const { status, json } = await seed(body)
  expect([status, json.error]).toEqual([400, expect.stringContaining(fault)])
})

test('a migration can be told how long to take, and is asked how far it is', async () => {
  const migration = `${zone}/waf-migration`
  expect((await control('GET', migration)).json).toEqual({
    ...{ state: 'start', completionMs: 0, isPartner: false }
  })
  expect((await control('PATCH', migration, { completionMs: 1_000 })).status).toBe(200)
  expect((await control('GET', migration)).json.completionMs).toBe(1_000)
  expect((await control('PATCH', migration, { isPartner: true })).status).toBe(200)
  expect((await control('GET', migration)).json).toMatchObject({
    ...{ completionMs: 1_000, isPartner: true }
  })
  for (const completionMs of [-1, 0.5, '1'])
    expect((await control('PATCH', migration, { completionMs })).status).toBe(400)
  expect((await control('GET', '/zones/abc/waf-migration')).status).toBe(404)
})
