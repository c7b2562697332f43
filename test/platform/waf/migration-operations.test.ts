import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Plan } from '../../../src/platform/kernel/plan.ts'
import { type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { api, door } from '../api.ts'

let running: Platform
let call: ReturnType<typeof api>
let control: ReturnType<typeof door>
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  call = api(running.announcement)
  control = door(running.announcement)
})
afterAll(() => running.close())

const phase = 'rulesets/phases/http_request_firewall_managed/entrypoint'

/** A fresh zone, and the calls about its migration. */
async function having(plan: Plan = 'pro') {
  const { id } = (await control('POST', '/zones', { plan })).json
  const path = `/zones/${id}`
  await control('PATCH', `${path}/previous-waf`, { enabled: true })
  const migration = (name: string) => call('GET', `${path}/waf_migration/${name}`)
  const config = (await migration('config?phase_two=1')).json.result
  return {
    path,
    config,
    migration,
    seed: (body: object) => control('PATCH', `${path}/previous-waf`, body),
    status: async () => (await migration('status')).json.result,
    update: (query: string, body: object = config) =>
      call('PUT', `${path}/${phase}${query}`, { body })
  }
}

const pending = '?waf_migration=pending&phase_two=1'

test('a migration from check to complete', async () => {
  const { path, migration, status, update, config } = await having('enterprise')
  expect((await migration('check?phase_two=1')).json.result).toEqual({
    compatible: true,
    migration_state: 'start'
  })
  const states = (migration_state: string, old_waf_status: string, new_waf_status: string) => ({
    ...{ migration_state, old_waf_status, new_waf_status }
  })
  expect(await status()).toEqual(states('start', 'on', 'off'))
  expect((await call('GET', `${path}/${phase}`)).status).toBe(404)
  const validation = await update('?waf_migration=2&phase_two=1')
  expect(validation.json.result).toMatchObject({ name: config.name, version: '1', kind: 'zone' })
  expect(await status()).toEqual(states('validation', 'on', 'on'))
  expect((await call('GET', `${path}/firewall/waf/packages`)).status).toBe(200)
  const completion = await update(pending)
  expect(completion.json.result).toMatchObject({ version: '2' })
  expect(await status()).toEqual(states('complete', 'off', 'on'))
  expect((await call('GET', `${path}/${phase}`)).json.result).toEqual(completion.json.result)
  const gone = await call('GET', `${path}/firewall/waf/packages`)
  expect([gone.status, gone.json.success]).toEqual([410, false])
  const list = (await call('GET', `${path}/rulesets`)).json.result
  expect(list.map(({ kind }: { kind: string }) => kind)).toEqual(['managed', 'managed', 'zone'])
  for (const { id, kind } of list) {
    const one = (await call('GET', `${path}/rulesets/${id}`)).json.result
    expect([one.kind, one.rules.length > 0]).toEqual([kind, true])
  }
})

test('completion may take time, which the status tells; a second update adds none', async () => {
  const { path, status, update } = await having()
  await control('PATCH', `${path}/waf-migration`, { completionMs: 60_000 })
  await update(pending)
  expect(await status()).toMatchObject({ migration_state: 'pending', old_waf_status: 'on' })
  await control('POST', '/clock', { forwardMs: 59_000 })
  expect((await update(pending)).status).toBe(200)
  expect((await update('?waf_migration=validation&phase_two=1')).status).toBe(400)
  expect(await status()).toMatchObject({ migration_state: 'pending', old_waf_status: 'on' })
  await control('POST', '/clock', { forwardMs: 1_000 })
  expect(await status()).toMatchObject({ migration_state: 'complete', old_waf_status: 'off' })
})

test.each<[query: string, plan: Plan, status: number, message: RegExp]>([
  ['', 'pro', 400, /waf_migration/],
  ['?phase_two=1', 'pro', 400, /waf_migration/],
  ['?waf_migration=pending', 'pro', 400, /phase_two/],
  ['?waf_migration=pending&phase_two=2', 'pro', 400, /phase_two/],
  ['?waf_migration=start&phase_two=1', 'pro', 400, /waf_migration/],
  ['?waf_migration=validation&phase_two=1', 'pro', 400, /not for pro/],
  ['?waf_migration=validation&phase_two=1', 'business', 400, /not for business/],
  ['?waf_migration=2&phase_two=1', 'free', 400, /not for free/]
])('an update %s of a %s zone is refused', async (query, plan, status, message) => {
  const zone = await having(plan)
  const refused = await zone.update(query)
  expect([refused.status, refused.json.errors[0].message]).toEqual([
    status,
    expect.stringMatching(message)
  ])
  expect(await zone.status()).toMatchObject({ migration_state: 'start' })
  expect((await call('GET', `${zone.path}/${phase}`)).status).toBe(404)
})

test.each([
  ['no rules', { name: '', rules: [] }],
  ['rules that are none', { name: '', rules: [{}] }],
  ['no name', { rules: [] }],
  ['nothing', {}]
])('a migration with %s is refused', async (_, body) => {
  const { update, status } = await having()
  expect((await update(pending, body)).status).toBe(400)
  expect(await status()).toMatchObject({ migration_state: 'start', new_waf_status: 'off' })
})

test('checks and configurations are asked for with phase_two=1', async () => {
  const { migration } = await having()
  for (const name of ['check', 'config', 'check?phase_two=0'])
    expect((await migration(name)).status).toBe(400)
  expect((await migration('status?phase_two=1')).status).toBe(200)
})

test('a zone that began to validate and got an override cannot be completed', async () => {
  const { seed, update, status, migration } = await having('enterprise')
  await update('?waf_migration=2&phase_two=1')
  await seed({ uriOverrides: ['*/legacy/*'] })
  expect((await migration('check?phase_two=1')).json.result.compatible).toBe(false)
  expect((await update(pending)).status).toBe(400)
  expect(await status()).toMatchObject({ migration_state: 'validation' })
  await seed({ uriOverrides: [] })
  expect((await update(pending)).status).toBe(200)
})

test('too many firewall rules fail the configuration and the update, not the check', async () => {
  const { seed, update, migration, status } = await having()
  const rule = { expression: 'ssl', action: 'bypass' }
  await seed({ firewallRules: Array(201).fill(rule) })
  expect((await migration('check?phase_two=1')).json.result.compatible).toBe(true)
  for (const refused of [await migration('config?phase_two=1'), await update(pending)])
    expect([refused.status, refused.json.errors[0].code]).toEqual([400, 11_200])
  expect(await status()).toMatchObject({ migration_state: 'start' })
})

test('200 rules of 4 KB each, full of quotes, can be sent back as they are offered', async () => {
  const { seed, update, migration, status } = await having()
  const words = Array.from({ length: 1_016 }, () => '"a"').join(' ')
  const expression = `http.request.uri.path in {${words}}`.padEnd(4_096)
  await seed({ firewallRules: Array(200).fill({ expression, action: 'bypass' }) })
  const { json } = await migration('config?phase_two=1')
  expect(JSON.stringify(json.result).length).toBeGreaterThan(1_048_576)
  expect((await update(pending, json.result)).status).toBe(200)
  expect(await status()).toMatchObject({ migration_state: 'complete' })
})

test('the zone that is announced as ineligible is', async () => {
  const { ineligible, business } = running.announcement.zones
  const compatible = async (id: string) =>
    (await call('GET', `/zones/${id}/waf_migration/check?phase_two=1`)).json.result.compatible
  expect(await compatible(ineligible!)).toBe(false)
  expect(await compatible(business!)).toBe(true)
})
