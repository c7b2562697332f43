import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Listener, listen } from '../../../src/platform/kernel/http/listener.ts'
import { override } from '../../../src/platform/kernel/override.ts'
import { openTime } from '../../../src/platform/kernel/time.ts'
import { type Rules, rules } from '../../../src/platform/parts.ts'
import { type Announcement, type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { api, door } from '../api.ts'
import { ask2, asked, session } from '../http2.ts'
import { seeded, serviceOf } from '../opened.ts'
import { openStore } from '../store.ts'
import { bytes, head, talk } from '../wire.ts'

let running: Platform
let said: Announcement
/** An edge with limits so small that the whole of a body can be sent each time. */
let small: Listener
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  said = running.announcement
  const store = openStore()
  seeded(store)
  const bodyBytes = { free: 1_000, pro: 1_000, business: 2_000, enterprise: 5_000 }
  const scaled = override<Rules>(rules, { edge: { limits: { bodyBytes } } })
  const parts = { rules: scaled, store, time: openTime(store) }
  small = await listen(serviceOf('edge', parts), { host: '127.0.0.1', port: 0 })
})
afterAll(async () => {
  await small.close()
  await running.close()
})

const KiB = 1_024
const MiB = 1_048_576
const free = { ':authority': 'free.zones.test', ':path': '/echo' }
const post = { ...free, ':method': 'POST' }

describe('over HTTP/2 the head', () => {
  test.each([
    ['a URL', (size: number) => ({ ':path': `/echo?${'u'.repeat(size - 6)}` }), 16 * KiB, 414],
    ['a header', (size: number) => ({ 'x-h': 'v'.repeat(size - 3) }), 16 * KiB, 431],
    // Host has 19 bytes, as over HTTP/1.
    [
      'all headers',
      (size: number) => ({ 'x-a': 'v'.repeat(16_000), 'x-b': 'v'.repeat(size - 16_025) }),
      16_025 + 16 * KiB - 3,
      431
    ]
  ])('%s: the limit passes, one byte more does not', async (_, sized, limit, status) => {
    for (const [size, wanted] of [
      [limit, 200],
      [limit + 1, status],
      [limit + 20_000, status]
    ] as const) {
      const heard = await ask2(said.edge, { ...free, ...sized(size) })
      expect([size, heard.status]).toEqual([size, wanted])
    }
  })

  test('all headers together: 32 KiB pass, one byte more does not', async () => {
    const filled = (size: number) => {
      const rest = size - 19 - 2 * 16_000
      return {
        'x-a': 'v'.repeat(15_997),
        'x-b': 'v'.repeat(15_997),
        'x-c': 'v'.repeat(rest - 3)
      }
    }
    const whole = await ask2(said.edge, { ...free, ...filled(32 * KiB) })
    expect(JSON.parse(whole.body).headers).toEqual({ count: 4, bytes: 32 * KiB })
    expect((await ask2(said.edge, { ...free, ...filled(32 * KiB + 1) })).status).toBe(431)
  })

  test('names its zone as a Host does', async () => {
    for (const [host, status] of [
      ['FREE.zones.test.', 200],
      ['a.b.pro.zones.test:8080', 200],
      ['zones.test', 404]
    ] as const) {
      const heard = await ask2(said.edge, { ...free, ':authority': host })
      expect([host, heard.status]).toEqual([host, status])
    }
  })
})

describe('over HTTP/2 a body', () => {
  test.each([
    ['free', 1_000],
    ['business', 2_000],
    ['enterprise', 5_000]
  ])('on %s: the limit passes, one byte more does not', async (zone, limit) => {
    const on = await session(small.url)
    for (const method of ['POST', 'PUT', 'PATCH'])
      for (const size of [0, limit, limit + 1, 100 * limit]) {
        const lines = { ...post, ':authority': `${zone}.zones.test`, ':method': method }
        const announced = await asked(on, { ...lines, 'content-length': size }, bytes(size))
        const other = await asked(on, lines, bytes(size))
        const status = size > limit ? 413 : 200
        expect([size, announced.status, other.status]).toEqual([size, status, status])
        if (status === 200) expect(JSON.parse(other.body)).toMatchObject({ method, bytes: size })
      }
    on.destroy()
  })

  test('that is announced as too large is refused before it comes', async () => {
    const on = await session(said.edge)
    const stream = on.request({ ...post, 'content-length': 100 * MiB + 1 })
    const status = await new Promise((resolve) =>
      stream.on('error', () => {}).once('response', (heard) => resolve(heard[':status']))
    )
    on.destroy()
    expect(status).toBe(413)
  })
})

test('a page is the same by either version, with what protects it', async () => {
  const zone = (await door(said)('POST', '/zones', { plan: 'free', origin: 'data:text/html,<p>' }))
    .json
  const policy = { description: '', action: 'allow', enabled: true, value: "script-src 'self'" }
  const { status } = await api(said)('POST', `/zones/${zone.id}/page_shield/policies`, {
    body: { ...policy, expression: 'http.request.version in {"HTTP/1.1" "HTTP/2"}' }
  })
  expect(status).toBe(200)
  const lines = [`Host: ${zone.host}`, 'Connection: close']
  const first = await talk(said.edge, [head('GET /', ...lines)])
  const second = await ask2(said.edge, { ':authority': zone.host, ':path': '/' })
  const added = (text: string) => text.match(/^content-security-policy: .*$/im)![0].slice(25)
  expect(second.headers['content-security-policy']).toBe(added(first.text))
  expect([second.body, second.headers['content-type']]).toEqual([first.body, 'text/html'])
})

test('a function is asked by either version, and told which', async () => {
  const control = door(said)
  const account = (await control('POST', '/accounts', { plan: 'standard' })).json
  const zone = (await control('POST', '/zones', { plan: 'pro', account: account.id })).json
  const source = `export default { fetch: async (request) =>
    new Response(request.method + request.cf?.httpProtocol + (await request.text())) }`
  const deployment = { name: 'fn', modules: { 'main.js': source }, main: 'main.js' }
  const made = (await control('POST', `/accounts/${account.id}/functions`, deployment)).json
  const route = { pattern: `${zone.host}/*`, function: made.id }
  await control('POST', `/zones/${zone.id}/routes`, route)
  const lines = [`Host: ${zone.host}`, 'Connection: close', 'Content-Length: 2']
  const first = await talk(said.edge, [head('POST /', ...lines), 'ab'])
  const second = await ask2(said.edge, { ...post, ':authority': zone.host }, [Buffer.from('ab')])
  expect([first.text, second.body]).toEqual([
    expect.stringContaining('POSTHTTP/1.1ab'),
    'POSTHTTP/2ab'
  ])
})
