import { afterAll, beforeAll, expect, test } from 'vitest'
import { listMutants } from '../../../src/platform/mutants.ts'
import { type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { api, door, keyTo } from '../api.ts'

let running: Platform
let control: ReturnType<typeof door>
let call: ReturnType<typeof api>
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  control = door(running.announcement)
  call = api(running.announcement)
})
afterAll(() => running.close())

const freshZone = async (body: object = { plan: 'free' }) =>
  (await control('POST', '/zones', body)).json

test('the mutants are served by name, clause and description', async () => {
  const { json } = await control('GET', '/mutants')
  expect(json).toEqual(
    (await listMutants()).map(({ name, clause, description }) => ({ name, clause, description }))
  )
})

test('a fresh zone is empty, off and at its host', async () => {
  const { id, host } = await freshZone({ plan: 'pro', host: 'fresh.example.test' })
  expect(host).toBe('fresh.example.test')
  expect((await call('GET', `/zones/${id}`)).json.result).toEqual({ id, name: host, plan: 'pro' })
  expect((await call('GET', `/zones/${id}/page_shield`)).json.result.enabled).toBe(false)
  const { json } = await call('GET', `/zones/${id}/page_shield/scripts`)
  expect(json).toMatchObject({ result: [], result_info: { total_count: 0, total_pages: 0 } })
})

test('fresh zones without a host get one each', async () => {
  const zones = [await freshZone(), await freshZone()]
  expect(new Set(zones.map(({ host }) => host)).size).toBe(2)
  for (const { host } of zones) {
    const headers = { host }
    expect((await call('GET', `/zones/${zones[0].id}`)).status).toBe(200)
    expect(headers.host).toMatch(/^[0-9a-f]{12}\.zones\.test$/)
  }
})

test('a zone moves to another plan', async () => {
  const { id } = await freshZone()
  const moved = await control('PATCH', `/zones/${id}`, { plan: 'enterprise' })
  expect(moved.json).toMatchObject({ id, plan: 'enterprise' })
  expect((await call('GET', `/zones/${id}`)).json.result.plan).toBe('enterprise')
})

test('a zone is given an origin, keeps it, and loses it again', async () => {
  const origin = 'http://127.0.0.1:9'
  const { id, host } = await freshZone({ plan: 'free', origin })
  const change = async (body: object) => (await control('PATCH', `/zones/${id}`, body)).json
  expect(await change({})).toEqual({ id, host, plan: 'free', origin })
  expect(await change({ plan: 'pro' })).toEqual({ id, host, plan: 'pro', origin })
  expect(await change({ origin: null })).toEqual({ id, host, plan: 'pro', origin: null })
})

test('detections are kept as given, and filled in where nothing is', async () => {
  const { id: zone, host } = await freshZone()
  const given = {
    id: 'abc1',
    url: 'https://cdn.test/cdn-cgi/a.js',
    domain_reported_malicious: true
  }
  const { json: ids } = await control('POST', `/zones/${zone}/detections`, {
    scripts: [given, {}],
    connections: [{ url_reported_malicious: true }],
    cookies: [{ name: 'shown' }, { name: 'rare', status: 'infrequent' }]
  })
  expect(ids.scripts[0]).toBe('abc1')
  const get = async (path: string) =>
    (await call('GET', `/zones/${zone}/page_shield/${path}`)).json.result
  expect(await get('scripts/abc1')).toMatchObject({
    ...given,
    host,
    status: 'active',
    url_contains_cdn_cgi_path: true,
    malicious_domain_categories: ['malware'],
    first_page_url: `http://${host}/`
  })
  const bare = await get(`scripts/${ids.scripts[1]}`)
  expect(bare).not.toHaveProperty('malicious_domain_categories')
  expect(bare).not.toHaveProperty('malicious_url_categories')
  expect(await get(`connections/${ids.connections[0]}`)).toMatchObject({
    malicious_url_categories: ['phishing']
  })
  expect((await get('cookies')).map(({ name }: any) => name)).toEqual(['shown'])
  expect(await get(`cookies/${ids.cookies[1]}`)).not.toHaveProperty('status')
})

test('either all detections are added or none', async () => {
  const { id: zone } = await freshZone()
  const scripts = [{ id: 'a1' }, { id: 'a2' }, { id: 'a1' }]
  const { status, json } = await control('POST', `/zones/${zone}/detections`, { scripts })
  expect([status, json.error]).toEqual([400, 'scripts.2.id: the zone has one with this id'])
  const list = await call('GET', `/zones/${zone}/page_shield/scripts`)
  expect(list.json.result_info.total_count).toBe(0)
})

test('the clock moves forward, and what is written afterwards says so', async () => {
  const day = 86_400_000
  const { now: before } = (await control('GET', '/clock')).json
  const { now: after } = (await control('POST', '/clock', { forwardMs: day })).json
  expect(after).toBeGreaterThanOrEqual(before + day)
  const { id } = await freshZone()
  const { updated_at } = (await call('GET', `/zones/${id}/page_shield`)).json.result
  expect(Date.parse(updated_at)).toBeGreaterThanOrEqual(after)
})

test('a reset brings the seeded state back, and keeps the credentials', async () => {
  const { zones } = running.announcement
  const scripts = `/zones/${zones.free}/page_shield/scripts?per_page=100`
  await control('POST', '/reset')
  const seeded = (await call('GET', scripts)).json
  const { id: fresh } = await freshZone()
  await control('POST', `/zones/${zones.free}/detections`, { scripts: [{}] })
  await control('PATCH', `/zones/${zones.free}`, { plan: 'pro' })
  await call('PUT', `/zones/${zones.free}/page_shield`, { body: { enabled: false } })
  expect((await call('GET', scripts)).json).not.toEqual(seeded)
  expect((await control('POST', '/reset')).status).toBe(200)
  expect((await call('GET', scripts)).json).toEqual(seeded)
  expect((await call('GET', `/zones/${zones.free}`)).json.result.plan).toBe('free')
  expect((await call('GET', `/zones/${zones.free}/page_shield`)).json.result.enabled).toBe(true)
  expect((await call('GET', `/zones/${fresh}`)).status).toBe(404)
})

test.each([
  ['POST', '/zones', {}, 'plan: '],
  ['POST', '/zones', { plan: 'gold' }, 'plan: must be one of free, pro, business, enterprise'],
  ['POST', '/zones', { plan: 'free', host: 'no spaces' }, 'host: must be a host name'],
  ['POST', '/zones', { plan: 'free', host: 'free.zones.test' }, 'host: belongs to another zone'],
  ['POST', '/zones', { plan: 'free', color: 'red' }, 'color: '],
  ['PATCH', '/zones/ZONE', { plan: 7 }, 'plan: '],
  ['PATCH', '/zones/ZONE', { origin: 'nowhere' }, 'origin: must be an http: or https: address'],
  ['PATCH', '/zones/ZONE', { origin: 'file:///etc/passwd' }, 'origin: must be'],
  ['PATCH', '/zones/ZONE', { origin: 'http://127.0.0.1/below' }, 'origin: must be'],
  ['PATCH', '/zones/ZONE', { origin: 'http://user@127.0.0.1/' }, 'origin: must be'],
  ['POST', '/zones', { plan: 'free', origin: 'http://127.0.0.1?x' }, 'origin: must be'],
  ['POST', '/zones/ZONE/detections', { scripts: {} }, 'scripts: '],
  ['POST', '/zones/ZONE/detections', { scripts: [{ id: 'XYZ' }] }, 'scripts.0.id: must be hex'],
  ['POST', '/zones/ZONE/detections', { scripts: [{ hash: 'ab' }] }, 'scripts.0.hash: must be 64'],
  ['POST', '/zones/ZONE/detections', { cookies: [{ url: 'http://a' }] }, 'cookies.0.url: '],
  ['POST', '/zones/ZONE/detections', { connections: [{ added_at: 'now' }] }, '0.added_at: must be'],
  ['POST', '/clock', {}, 'forwardMs: '],
  ['POST', '/clock', { forwardMs: -1 }, 'forwardMs: the clock never goes back'],
  ['POST', '/clock', { forwardMs: 1e15 }, 'forwardMs: the clock ends in 9999'],
  ['POST', '/clock', '{"forwardMs":1,"forwardMs":2}', 'forwardMs is there twice']
])('%s %s %j is refused with the field that is wrong', async (method, path, body, error) => {
  const at = running.announcement.control + path.replace('ZONE', running.announcement.zones.free!)
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(at, { method, headers: keyTo(running.announcement), body: sent })
  expect(response.status).toBe(400)
  expect(((await response.json()) as { error: string }).error).toContain(error)
})

test.each([
  ['PATCH', '/zones/abc', { plan: 'free' }],
  ['POST', '/zones/abc/detections', {}],
  ['GET', '/nowhere', undefined]
])('%s %s is not found', async (method, path, body) => {
  const { status, json } = await control(method, path, body)
  expect(status).toBe(404)
  expect(json.error).toBeTypeOf('string')
})

test('a twin is a platform of its own, which is ended whatever it is at', async () => {
  const { id, announcement } = (await control('POST', '/twins', {})).json
  const { zones, token, management } = announcement
  expect(zones).toEqual(running.announcement.zones)
  expect(token).not.toBe(running.announcement.token)
  const settings = await api(announcement)('GET', `/zones/${zones.pro}/page_shield`)
  expect(settings.json.success).toBe(true)
  const fresh = await freshZone()
  expect((await api(announcement)('GET', `/zones/${fresh.id}`)).status).toBe(404)
  expect((await control('DELETE', `/twins/${id}`)).status).toBe(200)
  await expect(fetch(management)).rejects.toThrow()
  expect((await control('DELETE', `/twins/${id}`)).status).toBe(404)
})

test('a twin ends with the first one', async () => {
  const first = await startPlatform({ port: 0 })
  const { announcement } = (await door(first.announcement)('POST', '/twins', {})).json
  await first.close()
  await expect(fetch(announcement.management)).rejects.toThrow()
})
