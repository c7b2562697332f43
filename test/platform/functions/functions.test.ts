import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Announcement, type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { keyTo } from '../api.ts'

let running: Platform
let said: Announcement
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  said = running.announcement
})
afterAll(() => running.close())

async function control(path: string, body?: unknown, method = body ? 'POST' : 'GET') {
  const headers = keyTo(said)
  const init = { method, headers, body: body && JSON.stringify(body) } as RequestInit
  const response = await fetch(said.control + path, init)
  return { status: response.status, ...((await response.json()) as any) }
}

type Asked = { method?: string; body?: string; agent?: Agent }

function ask(host: string, path: string, { method = 'GET', body = '', agent }: Asked = {}) {
  const { hostname, port } = new URL(said.edge)
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const options = { hostname, port, path, method, headers: { host }, agent }
  const sent = request(options, (message) => {
    const whole = message.toArray().then((chunks) => Buffer.concat(chunks).toString())
    whole.then((text) => resolve({ status: message.statusCode!, text }), reject)
  })
  sent.once('error', reject).end(body)
  return promise
}

const source = `
const acts = {
  '/echo': async ({ request }) => request.method + ' ' + (await request.text()),
  '/env': ({ env }) => env.TEXT + env.SECRET,
  async '/kv'({ env }) {
    await env.KV.put('key', 'value', { metadata: { a: 1 } })
    return JSON.stringify(await env.KV.getWithMetadata('key'))
  },
  async '/objects'({ env }) {
    await env.OBJECTS.put('key', 'hello')
    const { size } = await env.OBJECTS.head('key')
    return size + (await (await env.OBJECTS.get('key', { range: { offset: 1 } })).text())
  },
  async '/cache'() {
    await caches.default.put('http://c.test/', new Response('cached'))
    return (await caches.default.match('http://c.test/')).text()
  },
  '/state': ({ env }) => ask(env.STATE.get(env.STATE.idFromName('a')), '/'),
  '/service': ({ env }) => ask(env.SELF, '/env'),
  '/loop': ({ env }) => ask(env.SELF, '/loop'),
  '/origin': () => ask(globalThis, '/from-origin'),
  '/lie': ({ length }) => ({ body: 'hello', headers: { 'content-length': length } }),
  '/round': ({ env }) => fetch(env.NEXT).then((answer) => answer.text()),
  '/queue': async ({ env }) => ((await env.QUEUE.send({ n: 1 })), 'sent'),
  '/throw'() {
    throw new Error('no')
  },
  async '/part'({ request }) {
    await request.body.getReader().read()
    return 'read a part'
  },
  '/chunks': () => {
    let left = 50
    return new ReadableStream({
      pull(to) {
        to.enqueue(new Uint8Array(65536))
        if (--left === 0) to.close()
      }
    })
  }
}
const ask = async (to, path) => (await to.fetch('http://home.test' + path)).text()
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url)
    const length = searchParams.get('length')
    const said = await acts[pathname]({ request, env, length })
    return said.headers ? new Response(said.body, said) : new Response(said)
  },
  queue: ({ messages }) => console.log('got', JSON.stringify(messages[0].body)),
  scheduled: ({ cron }) => console.log('due', cron)
}
export class Counter {
  constructor({ storage }) {
    this.storage = storage
  }
  async fetch() {
    const count = ((await this.storage.get('count')) ?? 0) + 1
    await this.storage.put('count', count)
    if (count === 1) await this.storage.setAlarm(Date.now())
    return new Response('count ' + count)
  }
  async alarm() {
    console.log('alarm at', await this.storage.get('count'))
  }
}`

const bindings = {
  KV: { kind: 'kv', name: 'n' },
  OBJECTS: { kind: 'objects', name: 'b' },
  QUEUE: { kind: 'queue', name: 'q' },
  STATE: { kind: 'stateful', className: 'Counter' },
  SELF: { kind: 'service', function: 'fn' }
}

/** An account with a function that can do a little of everything, and a zone it is in front of. */
async function settled(plan = 'standard') {
  const account = await control('/accounts', { plan })
  const deployment = { name: 'fn', modules: { 'main.js': source }, main: 'main.js', bindings }
  const more = { env: { TEXT: 'text' }, secrets: { SECRET: 'secret' }, consumes: ['q'] }
  const target = await control(`/accounts/${account.id}/functions`, { ...deployment, ...more })
  const zone = await control('/zones', { plan: 'pro', account: account.id })
  const route = { pattern: `${zone.host}/*`, function: target.id }
  await control(`/zones/${zone.id}/routes`, route)
  return { account, target, zone }
}

/** Asks again and again until what is answered is as expected; the time limit is the test's. */
async function eventually<Value>(look: () => Promise<Value>, isThere: (value: Value) => boolean) {
  for (;;) {
    const value = await look()
    if (isThere(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const linesOf = async (id: string) => {
  const entries: any = await (
    await fetch(`${said.control}/functions/${id}/invocations`, { headers: keyTo(said) })
  ).json()
  return entries.flatMap(({ logs }: any) => logs.map(({ text }: any) => text)) as string[]
}

describe('a function', () => {
  let home: Awaited<ReturnType<typeof settled>>
  beforeAll(async () => {
    home = await settled()
  })

  test.each([
    ['/env', 200, 'textsecret'],
    ['/kv', 200, '{"value":"value","metadata":{"a":1}}'],
    ['/objects', 200, '5ello'],
    ['/cache', 200, 'cached'],
    ['/state', 200, 'count 1'],
    ['/state', 200, 'count 2'],
    ['/service', 200, 'textsecret'],
    ['/queue', 200, 'sent'],
    ['/throw', 500, 'error code: 1101\n'],
    ['/loop', 500, 'error code: 1101\n']
  ])('%s: %i %s', async (path, status, text) => {
    expect(await ask(home.zone.host, path)).toEqual({ status, text })
    expect((await ask(home.target.host, '/env')).text).toBe('textsecret')
  })

  test('reads what is sent, and answers as much as it likes', async () => {
    const sent = { method: 'POST', body: 'x'.repeat(300_000) }
    expect((await ask(home.zone.host, '/echo', sent)).text).toBe(`POST ${sent.body}`)
    expect((await ask(home.zone.host, '/chunks')).text.length).toBe(50 * 65_536)
  })

  test('leaves a connection as it should be, however much of a body it reads', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sent = { method: 'POST', body: 'x'.repeat(2_000_000), agent }
    for (const path of ['/part', '/env', '/part', '/env'])
      expect((await ask(home.zone.host, path, sent)).status).toBe(200)
    agent.destroy()
  })

  test.each([
    ['5', 200],
    ['4', 'ECONNRESET'],
    ['6', 'ECONNRESET']
  ])('cannot say that 5 bytes are %s: %s', async (length, expected) => {
    const asked = ask(home.zone.host, `/lie?length=${length}`)
    expect(await asked.then(({ status }) => status).catch(({ code }) => code)).toBe(expected)
    expect((await ask(home.zone.host, '/env')).status).toBe(200)
  })

  test('is started by messages, alarms and schedules', async () => {
    const { id } = home.target
    await control(`/functions/${id}/triggers`, { cron: '*/5 * * * *' })
    await control('/clock', { forwardMs: 300_000 })
    await control(`/functions/${id}/fire`, { cron: 'now' })
    const all = ['got {"n":1}', 'alarm at', 'due */5 * * * *', 'due now']
    const isThere = (lines: string[]) =>
      all.every((text) => lines.some((line) => line.startsWith(text)))
    expect(await eventually(() => linesOf(id), isThere)).toContain('due now')
  })

  test('goes with what led to it', async () => {
    const { zone, target } = await settled()
    expect((await ask(zone.host, '/env')).status).toBe(200)
    await control(`/functions/${target.id}`, undefined, 'DELETE')
    expect((await ask(zone.host, '/env')).status).toBe(404)
    expect((await ask(target.host, '/env')).status).toBe(404)
  })
})

test('a zone’s own function fetches from its origin, through the cache', async () => {
  let asked = 0
  const origin = createServer((message, response) => {
    asked++
    response.setHeader('Cache-Control', 'max-age=60')
    response.end(`${message.headers.host} ${message.url}`)
  })
  await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve))
  const { account, target } = await settled()
  const address = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`
  const given = { plan: 'pro', account: account.id, host: 'home.test', origin: address }
  const zone = await control('/zones', given)
  await control(`/zones/${zone.id}/routes`, { pattern: 'home.test/*', function: target.id })
  for (const _ of [1, 2])
    expect(await ask('home.test', '/origin')).toEqual({
      status: 200,
      text: 'home.test /from-origin'
    })
  expect(asked).toBe(1)
  const urls = ['http://home.test/from-origin']
  expect(await control(`/zones/${zone.id}/purge`, { urls })).toMatchObject({ purged: 1 })
  await ask('home.test', '/origin')
  expect(await control(`/zones/${zone.id}/purge`, {})).toMatchObject({ purged: 1 })
  expect(asked).toBe(2)
  origin.close()
})

test('functions that fetch from one another in circles come to an end', async () => {
  const account = await control('/accounts', { plan: 'standard' })
  const hosts = ['east.test', 'west.test']
  for (const [index, host] of hosts.entries()) {
    const zone = await control('/zones', { plan: 'pro', account: account.id, host })
    const env = { NEXT: `http://${hosts[1 - index]}/round` }
    const deployment = { name: `to-${index}`, modules: { 'main.js': source }, main: 'main.js', env }
    const target = await control(`/accounts/${account.id}/functions`, deployment)
    const route = { pattern: `${host}/*`, function: target.id }
    await control(`/zones/${zone.id}/routes`, route)
  }
  expect(await ask('east.test', '/round')).toEqual({ status: 200, text: 'error code: 1101\n' })
})

test('what is there is listed: accounts, functions, routes, bindings, zones', async () => {
  const { account, target, zone } = await settled()
  await control(`/functions/${target.id}/triggers`, { cron: '0 0 1 1 *' })
  await control(`/functions/${target.id}/domains`, { host: `own.${zone.host}` })
  const list = async (path: string): Promise<any> =>
    (await fetch(said.control + path, { headers: keyTo(said) })).json()
  const { id, plan, subdomain } = account
  expect(await list('/accounts')).toContainEqual({ id, plan, subdomain })
  const { host, version } = target
  const shown = { id: target.id, account: id, name: 'fn', host, version }
  expect(await list('/functions')).toContainEqual(shown)
  expect(await list(`/accounts/${id}/functions`)).toEqual([shown])
  const route = { pattern: `${zone.host}/*`, function: target.id, failMode: 'closed' }
  expect(await list('/routes')).toContainEqual({ zone: zone.id, ...route })
  expect(await list('/bindings')).toEqual(
    expect.arrayContaining(
      Object.entries(bindings).map(([variable, binding]) => ({
        function: target.id,
        variable,
        binding
      }))
    )
  )
  const made = { id: zone.id, account: id, plan: 'pro', host: zone.host, origin: null }
  expect(await list('/zones')).toContainEqual(made)
  expect(await list(`/zones/${zone.id}`)).toEqual(made)
  expect(await list(`/functions/${target.id}`)).toMatchObject({
    bindings,
    routes: [{ zone: zone.id, ...route }],
    domains: [`own.${zone.host}`],
    triggers: ['0 0 1 1 *']
  })
})

test('what is asked of the control listener is answered in words', async () => {
  const { account, zone, target } = await settled('free')
  const refused = [
    await control(`/accounts/${account.id}/functions`, { name: 'A' }),
    await control('/accounts/nobody', { plan: 'free' }, 'PATCH'),
    await control(`/zones/${zone.id}/routes`, { pattern: 'x.test/*', function: target.id }),
    await control(`/functions/${target.id}/triggers`, { cron: 'soon' }),
    await control(`/functions/${target.id}/domains`, { host: 'x.test' })
  ]
  expect(refused.map(({ status, code }) => [status, code])).toEqual([
    ...[
      [400, 1_004],
      [404, 7_003],
      [422, 10_075],
      [422, 10_078],
      [422, 10_077]
    ]
  ])
  const { secrets, modules } = await control(`/functions/${target.id}`)
  expect([secrets, modules]).toEqual([['SECRET'], ['main.js']])
  const moved = await control(`/accounts/${account.id}`, { plan: 'unbound' }, 'PATCH')
  expect(moved).toMatchObject({ plan: 'unbound', subdomain: account.subdomain })
})

test('functions, and all they keep, are there after a new start', async () => {
  const data = mkdtempSync(join(tmpdir(), 'functions-'))
  const first = said
  const one = await startPlatform({ port: 0, data })
  said = one.announcement
  const { zone } = await settled()
  for (const path of ['/state', '/objects', '/kv']) await ask(zone.host, path)
  await one.close()
  const two = await startPlatform({ port: 0, data })
  said = two.announcement
  expect((await ask(zone.host, '/state')).text).toBe('count 2')
  expect((await ask(zone.host, '/objects')).text).toBe('5ello')
  await two.close()
  said = first
  rmSync(data, { recursive: true })
})

test('after a reset nothing is left of what functions had kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-test-'))
  const data = join(folder, 'data')
  const before = said
  const own = await startPlatform({ port: 0, data })
  said = own.announcement
  try {
    const { zone } = await settled()
    for (const path of ['/objects', '/cache']) await ask(zone.host, path)
    const files = () => ['objects', 'cache'].flatMap((part) => readdirSync(join(data, part)))
    expect(files()).toHaveLength(2)
    await control('/reset', {})
    expect(files()).toEqual([])
  } finally {
    said = before
    await own.close()
    rmSync(folder, { recursive: true })
  }
})
