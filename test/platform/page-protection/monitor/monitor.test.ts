import { once } from 'node:events'
import { createServer, request as httpRequest, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Platform, startPlatform } from '../../../../src/platform/platform.ts'
import { api, door } from '../../api.ts'

let running: Platform
let call: ReturnType<typeof api>
let control: ReturnType<typeof door>
let server: Server
let answer: { headers: Record<string, string | string[]>; body: string | Buffer }
let zone: { id: string; host: string }
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  call = api(running.announcement)
  control = door(running.announcement)
  server = createServer((_, response) => {
    response.writeHead(200, answer.headers).end(answer.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  await running.close()
  server.closeAllConnections()
  server.close()
})
beforeEach(async () => {
  answer = { headers: { 'content-type': 'text/html; charset=utf-8' }, body: '<p>page</p>' }
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  zone = (await control('POST', '/zones', { plan: 'enterprise', origin })).json
  await turn(true)
})

const turn = (enabled: boolean, more: object = {}) =>
  call('PUT', `/zones/${zone.id}/page_shield`, { body: { enabled, ...more } })
const every = '?status=active,infrequent'
const list = async (kind: string, query = every) =>
  (await call('GET', `/zones/${zone.id}/page_shield/${kind}${query}`)).json.result
const read = async (kind: string, id: string) =>
  (await call('GET', `/zones/${zone.id}/page_shield/${kind}/${id}`)).json.result

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer }

async function visit(path: string, { method = 'GET', headers, body }: Sent = {}) {
  const { edge } = running.announcement
  const asked = httpRequest(edge + path, { method, headers: { host: zone.host, ...headers } })
  asked.end(body)
  const [response] = await once(asked, 'response')
  const chunks = await response.toArray()
  const policies = response.headersDistinct['content-security-policy-report-only'] ?? []
  return { status: response.statusCode, policies, body: Buffer.concat(chunks), response }
}

const path = '/cdn-cgi/script_monitor/report'
const post = (body: string | Buffer, { at = path, type = 'application/csp-report' } = {}) =>
  visit(at, { method: 'POST', headers: { 'content-type': type }, body })
const report = (change: object = {}) =>
  JSON.stringify({
    'csp-report': {
      'document-uri': `http://${zone.host}/page?x=1`,
      'blocked-uri': 'http://third.test/a.js?v=1',
      'effective-directive': 'script-src-elem',
      disposition: 'report',
      ...change
    }
  })

describe('the monitoring policy', () => {
  const monitoring = `script-src 'none'; connect-src 'none'; report-uri ${path}`

  test('is on pages while protection is on', async () => {
    expect((await visit('/')).policies).toEqual([monitoring])
    await turn(false)
    expect((await visit('/')).policies).toEqual([])
  })

  test('is on nothing else', async () => {
    answer.headers = { 'content-type': 'application/json' }
    expect((await visit('/')).policies).toEqual([])
    answer.headers = {}
    expect((await visit('/')).policies).toEqual([])
  })
})

describe('scripts', () => {
  test('a reported script is in the list, with what is known of it', async () => {
    const before = Date.now()
    expect((await post(report())).status).toBe(204)
    const [script] = await list('scripts')
    expect(script).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      url: 'http://third.test/a.js',
      added_at: expect.any(String),
      first_seen_at: script.added_at,
      last_seen_at: script.added_at,
      host: zone.host,
      domain_reported_malicious: false,
      url_reported_malicious: false,
      first_page_url: `http://${zone.host}/page`,
      status: 'infrequent',
      url_contains_cdn_cgi_path: false
    })
    expect(Date.parse(script.added_at)).toBeGreaterThanOrEqual(before)
    expect(await read('scripts', script.id)).toEqual({
      ...script,
      page_urls: [script.first_page_url],
      versions: []
    })
  })

  test('twice is infrequent, three times is active, and pages add up', async () => {
    const statuses: string[] = []
    for (const page of ['a', 'b', 'a', 'c']) {
      await post(report({ 'document-uri': `http://${zone.host}/${page}` }))
      const [{ status }] = await list('scripts')
      statuses.push(status)
    }
    expect(statuses).toEqual(['infrequent', 'infrequent', 'active', 'active'])
    const scripts = await list('scripts', '')
    expect(scripts).toHaveLength(1)
    const { page_urls, first_page_url, first_seen_at, last_seen_at } = await read(
      'scripts',
      scripts[0].id
    )
    expect(page_urls).toEqual(['a', 'b', 'c'].map((page) => `http://${zone.host}/${page}`))
    expect(first_page_url).toBe(page_urls[0])
    expect(last_seen_at >= first_seen_at).toBe(true)
  })

  test('the same script on two hosts is two detections', async () => {
    await post(report())
    await post(report({ 'document-uri': `http://shop.${zone.host}/` }))
    expect((await list('scripts')).map(({ host }: any) => host)).toEqual([
      zone.host,
      `shop.${zone.host}`
    ])
  })

  test.each(['before', 'after'])('content that goes by %s the report is known', async (when) => {
    const url = `http://${zone.host}/a.js`
    const asking = report({ 'blocked-uri': `${url}?v=1` })
    if (when === 'after') await post(asking)
    answer = { headers: { 'content-type': 'text/javascript' }, body: 'fetch(document.cookie)' }
    expect((await visit('/a.js?v=2')).body.toString()).toBe(answer.body)
    if (when === 'before') await post(asking)
    const [script] = await list('scripts')
    expect(script).toMatchObject({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      js_integrity_score: 81,
      obfuscation_score: 99,
      dataflow_score: 81,
      fetched_at: expect.any(String)
    })
    answer.body = Buffer.from('"new content"')
    await visit('/a.js')
    const { versions, hash } = await read('scripts', script.id)
    expect(versions.map((version: any) => version.hash)).toEqual([script.hash, hash])
    expect(versions[1]).toMatchObject({ js_integrity_score: 99 })
  })

  test.each([
    ['compressed', { 'content-encoding': 'gzip' }, gzipSync('"a"'), true],
    ['said to be compressed', { 'content-encoding': 'br' }, Buffer.from('"a"'), false],
    ['in an unknown coding', { 'content-encoding': 'rot13' }, Buffer.from('"n"'), false],
    ['of two mebibytes', {}, Buffer.alloc(2 * 1_048_576, ' '), false],
    [
      'that unpacks to 64 MiB',
      { 'content-encoding': 'gzip' },
      gzipSync(Buffer.alloc(64 * 1_048_576)),
      false
    ]
  ])('a script %s', async (_, headers, body, isKnown) => {
    answer = { headers: { 'content-type': 'application/javascript', ...headers }, body }
    const got = await visit('/b.js')
    expect(got.body.equals(body)).toBe(true)
    await post(report({ 'blocked-uri': `http://${zone.host}/b.js` }))
    const [script] = await list('scripts')
    expect('hash' in script).toBe(isKnown)
  })
})

describe('connections', () => {
  const connect = { 'effective-directive': 'connect-src', 'blocked-uri': 'http://api.test/v1/x?y' }

  test('are known by their host, or by their path where the settings say so', async () => {
    await post(report(connect))
    await turn(true, { use_connection_url_path: true })
    await post(report(connect))
    const connections = await list('connections')
    expect(connections.map(({ url }: any) => url)).toEqual([
      'http://api.test/',
      'http://api.test/v1/x'
    ])
    expect(connections[0]).toMatchObject({ host: zone.host, malicious_url_categories: [] })
    expect(await list('scripts')).toEqual([])
  })
})

describe('cookies', () => {
  test('are those that answers set', async () => {
    const cookies = ['sid=1; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=60', 'theme=dark']
    answer.headers['set-cookie'] = [...cookies, 'broken', 'other=1; Domain=elsewhere.test']
    for (let visits = 0; visits < 3; visits++) await visit('/shop/cart?x=1')
    const [sid, theme, ...others] = await list('cookies', '')
    expect(others).toEqual([])
    expect(sid).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      type: 'first_party',
      name: 'sid',
      host: zone.host,
      domain_attribute: zone.host,
      expires_attribute: expect.any(String),
      http_only_attribute: true,
      max_age_attribute: 60,
      path_attribute: '/',
      same_site_attribute: 'strict',
      secure_attribute: true,
      first_seen_at: expect.any(String),
      last_seen_at: expect.any(String),
      first_page_url: `${zone.host}/shop/cart`
    })
    expect(theme).toMatchObject({
      name: 'theme',
      max_age_attribute: null,
      path_attribute: '/shop',
      same_site_attribute: 'lax'
    })
    expect(theme).not.toHaveProperty('expires_attribute')
    expect((await read('cookies', sid.id)).page_urls).toEqual([`${zone.host}/shop/cart`])
  })

  test('seen once are not in the list yet', async () => {
    answer.headers['set-cookie'] = 'once=1'
    await visit('/')
    expect(await list('cookies', '')).toEqual([])
    expect(await list('cookies')).toHaveLength(1)
  })
})

test('what is listed as malicious is reported so, and no longer when it is not', async () => {
  const threats = (body: object) => control('PUT', '/threats', body)
  await threats({
    domains: { 'third.test': ['malware'] },
    urls: { 'http://third.test/a.js': ['phishing', 'spyware'] }
  })
  await post(report())
  await post(report({ 'effective-directive': 'connect-src' }))
  const malicious = {
    domain_reported_malicious: true,
    malicious_domain_categories: ['malware'],
    url_reported_malicious: true,
    malicious_url_categories: ['phishing', 'spyware']
  }
  expect((await list('scripts'))[0]).toMatchObject(malicious)
  expect((await list('connections'))[0]).toMatchObject({
    domain_reported_malicious: true,
    malicious_domain_categories: ['malware'],
    url_reported_malicious: false,
    malicious_url_categories: []
  })
  await threats({})
  await post(report())
  const [script] = await list('scripts')
  expect(script).toMatchObject({ domain_reported_malicious: false, url_reported_malicious: false })
  expect(Object.keys(script).filter((field) => field.endsWith('categories'))).toEqual([])
})

test('while protection is off nothing is added', async () => {
  await turn(false)
  answer.headers['set-cookie'] = 'a=1'
  await visit('/')
  expect((await post(report())).status).toBe(204)
  for (const kind of ['scripts', 'connections', 'cookies']) expect(await list(kind)).toEqual([])
})

test.each([
  ['an inline script', { 'blocked-uri': 'inline' }],
  ['a data URL', { 'blocked-uri': 'data' }],
  ['an extension', { 'blocked-uri': 'chrome-extension://abc/a.js' }],
  ['a picture', { 'effective-directive': 'img-src' }],
  ['a page of another zone', { 'document-uri': 'http://free.zones.test/' }],
  ['a page of no zone', { 'document-uri': 'http://elsewhere.test/' }],
  ['a page that is a file', { 'document-uri': 'file:///index.html' }]
])('a report about %s adds nothing', async (_, change) => {
  expect((await post(report(change))).status).toBe(204)
  expect([await list('scripts'), await list('connections')]).toEqual([[], []])
})

test.each([
  ['no JSON', 'not JSON', {}, 400],
  ['no report', '{}', {}, 400],
  ['a list', '[]', {}, 400],
  ['two reports in one', '{"csp-report":{},"csp-report":{}}', {}, 400],
  ['a prototype', '{"__proto__":{"csp-report":{}}}', {}, 400],
  ['no UTF-8', Buffer.from([0xff]), {}, 400],
  ['too much', ' '.repeat(16 * 1_024 + 1), {}, 413],
  ['a form', 'a=b', { type: 'application/x-www-form-urlencoded' }, 415]
])('%s is no report', async (_, body, how, status) => {
  expect((await post(body, how)).status).toBe(status)
  expect(await list('scripts')).toEqual([])
})

test('reports are posted', async () => {
  const { status, response } = await visit(path)
  expect([status, response.headers.allow]).toEqual([405, 'POST'])
})

describe('violations of a policy', () => {
  const violations = async () => (await control('GET', `/zones/${zone.id}/violations`)).json

  test('are counted for that policy, and are no detections', async () => {
    const policy = {
      ...{ description: '', action: 'log', expression: 'true', enabled: true },
      value: "script-src 'self'"
    }
    const created = await call('POST', `/zones/${zone.id}/page_shield/policies`, { body: policy })
    const { id } = created.json.result
    const at = `${path}?policy=${id}`
    expect((await visit('/')).policies[0]).toBe(`script-src 'self'; report-uri ${at}`)
    for (const change of [{}, {}, { 'blocked-uri': 'inline' }]) await post(report(change), { at })
    await post(report(), { at: `${path}?policy=${'0'.repeat(32)}` })
    const common = { policy: id, directive: 'script-src-elem', disposition: 'report' }
    expect(await violations()).toEqual([
      { ...common, blocked: 'http://third.test/a.js', count: 2 },
      { ...common, blocked: 'inline', count: 1 }
    ])
    expect(await list('scripts')).toEqual([])
  })
})
