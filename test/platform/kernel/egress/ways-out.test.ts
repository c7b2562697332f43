import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type Announcement,
  type Platform,
  startPlatform
} from '../../../../src/platform/platform.ts'
import { freePorts } from '../../../free-ports.ts'
import { api, door } from '../../api.ts'

/** A server that was not named, and one that was. */
const requests = { stranger: 0, named: 0 }
const stranger = createServer((_request, response) => {
  requests.stranger++
  response.end('{}')
})
const named = createServer((_request, response) => {
  requests.named++
  response.end('named')
})
const portOf = (server: typeof named) => (server.address() as AddressInfo).port

/** A platform that may reach nothing, and one that may reach all of loopback. */
let strict: Platform
let wide: Platform
const files = mkdtempSync(join(tmpdir(), 'ways-out-'))
beforeAll(async () => {
  for (const server of [stranger, named]) await once(server.listen(0, '127.0.0.1'), 'listening')
  strict = await startPlatform({ port: 0, allowEgress: [`127.0.0.1:${portOf(named)}`] })
  wide = await startPlatform({
    ...{ port: 0, allowEgress: ['127.0.0.1:*', 'localhost:*'], logFiles: files }
  })
})
afterAll(async () => {
  for (const server of [stranger, named]) server.close().closeAllConnections()
  await Promise.all([strict.close(), wide.close()])
  rmSync(files, { recursive: true })
})

const source = `export default { async fetch(request) {
  const { url, init } = await request.json()
  return new Response(await fetch(url, init).then((response) => response.text(), String))
} }`

/** What a free function's fetch comes to. */
async function fetched({ announcement: said }: Platform, url: string, init: object = {}) {
  const control = door(said)
  const account = (await control('POST', '/accounts', { plan: 'free' })).json
  const deployment = { name: 'f', main: 'm.js', modules: { 'm.js': source } }
  const path = `/accounts/${account.id}/functions`
  const { host } = (await control('POST', path, deployment)).json
  return visit(said, host, JSON.stringify({ url, init }))
}

/** What the edge answers to a request for a host. */
async function visit({ edge }: Announcement, host: string, body = ''): Promise<string> {
  const { hostname, port } = new URL(edge)
  const asked = request({ hostname, port, path: '/echo', method: 'POST', headers: { host } })
  asked.end(body)
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
  return Buffer.concat(await response.toArray()).toString()
}

const state = async ({ announcement }: Platform) => {
  const control = door(announcement)
  const [zones, accounts] = [await control('GET', '/zones'), await control('GET', '/accounts')]
  return { zones: zones.json.length, accounts: accounts.json.length }
}

const own = ({ announcement: said }: Platform): [string, string][] =>
  (['control', 'management', 'edge', 'gateway'] as const).map((name) => [name, said[name]])

async function job({ announcement: said }: Platform, destination_conf: string) {
  const body = { dataset: 'http_requests', destination_conf }
  return api(said)('POST', `/zones/${said.zones.free}/logpush/jobs`, { body })
}

test('a job is refused for a destination that is out of reach, and told what to do', async () => {
  const { status, json } = await job(strict, `http://127.0.0.1:${portOf(stranger)}/`)
  expect([status, json.errors[0].message]).toEqual([
    400,
    expect.stringContaining(`--allow-egress 127.0.0.1:${portOf(stranger)}`)
  ])
  expect((await job(strict, 'http://localhost:1/')).status).toBe(400)
  expect((await job(strict, `http://127.0.0.1:${portOf(named)}/`)).status).toBe(200)
})

test('no job leads to the platform itself, even where loopback may be reached', async () => {
  for (const [name, url] of own(wide)) {
    const { status, json } = await job(wide, `${url}/reset`)
    expect([name, status, json.errors[0].message]).toEqual([
      ...[name, 400],
      expect.stringContaining('a listener of the platform itself')
    ])
  }
  const there = api(wide.announcement)
  const jobs = `/zones/${wide.announcement.zones.free}/logpush/jobs`
  const { json } = await job(wide, `http://127.0.0.1:${portOf(named)}/`)
  const body = { destination_conf: `${wide.announcement.control}/reset` }
  expect((await there('PUT', `${jobs}/${json.result.id}`, { body })).status).toBe(400)
  await there('DELETE', `${jobs}/${json.result.id}`)
})

test('files are written below the folder that was named, or nowhere', async () => {
  const none = await job(strict, `file://${files}`)
  expect([none.status, none.json.errors[0].message]).toEqual([
    400,
    expect.stringContaining('--log-files DIR')
  ])
  for (const path of ['/', '/etc', `${files}/../x`, `${files}-beside`, `${files}/%2e%2e/x`])
    expect((await job(wide, `file://${path}`)).status, path).toBe(400)
  const { json } = await job(wide, `file://${files}/zone`)
  const { hosts, zones } = wide.announcement
  await visit(wide.announcement, hosts.free!)
  await door(wide.announcement)('POST', `/zones/${zones.free}/logpush/deliver`, {})
  expect(readdirSync(join(files, 'zone'))).toHaveLength(1)
  expect(json.result.error_message).toBe(null)
})

test.each(['control', 'management', 'edge', 'gateway'] as const)(
  'a function does not reach %s, even where loopback may be reached',
  async (name) => {
    const before = await state(wide)
    const body = JSON.stringify({ plan: 'free' })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    const url = `${wide.announcement[name].replace(/\/client.*$/, '')}/accounts`
    expect(await fetched(wide, url, init)).toContain('a listener of the platform itself')
    const { accounts, zones } = await state(wide)
    // The account that asked, and the zone it has with it, are all that is new.
    expect({ accounts, zones }).toEqual({ accounts: before.accounts + 1, zones: before.zones + 1 })
  }
)

test('a function reaches what was named, and nothing beside it', async () => {
  const before = requests.stranger
  expect(await fetched(strict, `http://127.0.0.1:${portOf(named)}/`)).toBe('named')
  const told = await fetched(strict, `http://127.0.0.1:${portOf(stranger)}/`)
  expect(told).toContain(`--allow-egress 127.0.0.1:${portOf(stranger)}`)
  expect(requests.stranger).toBe(before)
})

test('a node of the gateway is named by being given, and is not the platform itself', async () => {
  const ask = async ({ gateway }: Announcement, network: string) => {
    const body = '{"jsonrpc":"2.0","method":"eth_chainId","id":1}'
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(`${gateway}/v1/${network}`, { method: 'POST', headers, body })
    return ((await response.json()) as any).error.message as string
  }
  const before = requests.stranger
  const port = await freePorts(4)
  const platform = await startPlatform({
    port,
    gateway: {
      sepolia: `http://127.0.0.1:${portOf(stranger)}`,
      own: `http://127.0.0.1:${port + 3}`
    }
  })
  onTestFinished(platform.close)
  expect(platform.announcement.control).toContain(`:${port + 3}`)
  expect(await ask(platform.announcement, 'own')).toContain('may not reach')
  expect(await ask(platform.announcement, 'sepolia')).toContain('no JSON-RPC')
  expect(requests.stranger).toBe(before + 1)
})

test('what is wrong with the ways that are named is told before anything starts', async () => {
  await expect(startPlatform({ port: 0, allowEgress: ['127.0.0.1'] })).rejects.toThrow('HOST:PORT')
  await expect(startPlatform({ port: 0, logFiles: '/dev/null' })).rejects.toThrow('--log-files')
})
