import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fateOf } from '../../scenarios/_csp.ts'
import { createClient } from '../../src/client/client.ts'
import { type Platform, startPlatform } from '../../src/platform/platform.ts'
import { api, door } from '../platform/api.ts'

/** Where the machine has its Chromium, if it has one. */
function findChromium(): string | undefined {
  try {
    return execFileSync('sh', ['-c', 'command -v chromium || command -v chromium-browser'])
      .toString()
      .trim()
  } catch {
    return undefined
  }
}

const executablePath = findChromium()
const title = executablePath ? 'Chromium' : 'skipped, since there is no chromium on this machine'

/** Where each script of the page comes from, by the name it leaves in `window.ran`. */
const scripts: Record<string, string> = {
  own: 'http://app.example.test/own.js',
  below: 'http://sub.app.example.test/below.js',
  parent: 'http://example.test/parent.js',
  sibling: 'http://www.example.test/sibling.js',
  third: 'http://cdn.third.test/lib/third.js',
  other: 'http://cdn.third.test/lib/other.js'
}
const byUrl = (one: { url: string }, other: { url: string }) => (one.url < other.url ? -1 : 1)
const source = (name: string) => `(window.ran ??= []).push('${name}')`
const tagsOf = (names: string[]) =>
  names.map((name) => `<script src="${scripts[name]}?v=1"></script>`).join('\n')

/** Answers for every host: a page with all scripts, one with a connection, and the scripts. */
function originServer(): Server {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url!, 'http://origin')
    const name = /(\w+)\.js$/.exec(pathname)?.[1]
    response.setHeader('Access-Control-Allow-Origin', '*')
    if (name) return response.setHeader('Content-Type', 'text/javascript').end(source(name))
    if (pathname.startsWith('/api/')) return response.end('{}')
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    const page = '<!doctype html><link rel="icon" href="data:,"><title>page</title>'
    if (pathname !== '/monitored') return response.end(page + tagsOf(Object.keys(scripts)))
    response.setHeader('Set-Cookie', ['sid=1; Path=/; HttpOnly; SameSite=Strict', 'theme=dark'])
    const connection = "<script>fetch('http://api.third.test/api/v1?x=1')</script>"
    response.end(page + tagsOf(['own', 'parent', 'third']) + connection)
  })
}

describe.skipIf(executablePath === undefined)(title, () => {
  let browser: Browser
  let running: Platform
  let server: Server
  let call: ReturnType<typeof api>
  let control: ReturnType<typeof door>
  let zone: string
  beforeAll(async () => {
    server = originServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    running = await startPlatform({ port: 0 })
    call = api(running.announcement)
    control = door(running.announcement)
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const hosts = ['app.example.test', 'example.test', 'third.test']
    const made = hosts.map((host) => control('POST', '/zones', { plan: 'pro', host, origin }))
    zone = (await Promise.all(made))[0]!.json.id
    const { port } = new URL(running.announcement.edge)
    browser = await chromium.launch({
      executablePath,
      args: [
        ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
        ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
        '--no-proxy-server',
        `--host-resolver-rules=MAP *.test:80 127.0.0.1:${port},MAP *.test 127.0.0.1`
      ]
    })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await running?.close()
    server?.closeAllConnections()
    server?.close()
  })

  /** Loads a page in a profile of its own, and returns the scripts that ran. */
  async function load(path: string): Promise<string[]> {
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(`http://app.example.test${path}`, { waitUntil: 'networkidle' })
    const ran = await page.evaluate('window.ran ?? []')
    await context.close()
    return ran as string[]
  }

  const shield = (path = '') => `/zones/${zone}/page_shield${path}`
  const turn = (enabled: boolean) => call('PUT', shield(), { body: { enabled } })
  const list = async (kind: string, query = '') =>
    (await call('GET', shield(`/${kind}${query}`))).json.result as any[]

  /** Reads again until it is as expected, since reports come after the page; then as it stays. */
  async function settled<Value>(read: () => Promise<Value>, isDone: (value: Value) => boolean) {
    for (let attempt = 0; attempt < 100 && !isDone(await read()); attempt++) await sleep(100)
    return read()
  }

  test('three scripts, one connection and two cookies are exactly what is detected', async () => {
    await turn(false)
    expect((await load('/monitored')).sort()).toEqual(['own', 'parent', 'third'])
    await turn(true)
    const every = '?status=active,infrequent'
    const detected = async () => ({
      scripts: await list('scripts', every),
      connections: await list('connections', every),
      cookies: await list('cookies', every)
    })
    for (let visit = 0; visit < 3; visit++)
      expect((await load('/monitored')).sort()).toEqual(['own', 'parent', 'third'])

    const {
      scripts: found,
      connections,
      cookies
    } = await settled(
      detected,
      (seen) =>
        [...seen.scripts, ...seen.connections].every(({ status }) => status === 'active') &&
        seen.scripts.length === 3 &&
        seen.connections.length === 1
    )
    const page = 'app.example.test/monitored'
    const common = { host: 'app.example.test', status: 'active', first_page_url: `http://${page}` }
    const known = ['own', 'parent', 'third'].map((name) => ({
      ...common,
      url: scripts[name]!,
      hash: hash('sha256', source(name)),
      js_integrity_score: 99
    }))
    expect(found.sort(byUrl)).toMatchObject(known.sort(byUrl))
    expect(connections).toMatchObject([{ ...common, url: 'http://api.third.test/' }])
    expect(cookies).toMatchObject([
      { name: 'sid', http_only_attribute: true, same_site_attribute: 'strict' },
      { name: 'theme', http_only_attribute: false, first_page_url: page }
    ])
    expect([await list('scripts'), await list('connections'), await list('cookies')]).toMatchObject(
      [{ length: 3 }, { length: 1 }, { length: 2 }]
    )
  }, 60_000)

  /** By the sources of a policy: the scripts that it allows. */
  const allowed: [sources: string, names: string[]][] = [
    ["'self'", ['own']],
    ['app.example.test', ['own']],
    ['example.test', ['parent']],
    ['cdn.third.test', ['other', 'third']],
    ['third.test', []],
    ['http://cdn.third.test/lib/third.js', ['third']],
    ['http://cdn.third.test/lib/', ['other', 'third']],
    ['*.example.test', ['below', 'own', 'sibling']],
    ["'none'", []],
    ["'self' example.test http://cdn.third.test/lib/other.js", ['other', 'own', 'parent']]
  ]

  /** The scripts a page runs under a policy, those the scenarios expect, and what was violated. */
  async function under(action: 'allow' | 'log', sources: string, violations: number) {
    const policy = {
      ...{ description: '', enabled: 'true', expression: 'http.host eq "app.example.test"' },
      ...{ action, value: `script-src ${sources}` }
    }
    const { id } = (await call('POST', shield('/policies'), { body: policy })).json.result
    const edge = createClient({ endpoint: { url: running.announcement.edge } })
    const reply = await edge.as('app.example.test').get('/')
    const page = 'http://app.example.test/'
    const isRun = ([, script]: [string, string]) => !fateOf(reply, { page, script }).isBlocked
    const expected = Object.entries(scripts).filter(isRun)
    const ran = (await load('/')).sort()
    const counted = async () => {
      const { json } = await control('GET', `/zones/${zone}/violations`)
      return json.filter(({ policy }: { policy: string }) => policy === id)
    }
    const reported = await settled(counted, ({ length }) => length >= violations)
    await call('DELETE', shield(`/policies/${id}`))
    await edge.close()
    return { ran, expected: expected.map(([name]) => name).sort(), reported }
  }

  test.each(allowed)('allow %s', { timeout: 60_000 }, async (sources, names) => {
    const blocked = Object.keys(scripts).filter((name) => !names.includes(name))
    const { ran, expected, reported } = await under('allow', sources, blocked.length)
    expect([ran, expected]).toEqual([names, names])
    expect(reported.map(({ blocked }: any) => blocked)).toEqual(
      blocked.map((name) => scripts[name]).sort()
    )
    expect(new Set(reported.map(({ disposition }: any) => disposition))).toEqual(
      new Set(blocked.length > 0 ? ['enforce'] : [])
    )
  })

  test.each(allowed)('log %s', { timeout: 60_000 }, async (sources, names) => {
    const violating = Object.keys(scripts).filter((name) => !names.includes(name))
    const { ran, expected, reported } = await under('log', sources, violating.length)
    const all = Object.keys(scripts).sort()
    expect([ran, expected]).toEqual([all, all])
    expect(reported).toMatchObject(
      violating
        .map((name) => scripts[name])
        .sort()
        .map((blocked) => ({ blocked, disposition: 'report' }))
    )
  })
})
