import { once } from 'node:events'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
// @ts-expect-error: the probe is plain JavaScript, as it is deployed.
import probe from '../../scenarios/functions/_probe/probe.js'
import { plimsollJson } from './plimsoll.ts'

const adapter = resolve(import.meta.dirname, '../../scenarios/functions/_probe/adapter.ts')
const file = join(mkdtempSync(join(tmpdir(), 'plimsoll-probe-')), 'target.json')

/** The probe as a function of a server without any limits, instances or stores. */
const server = createServer(async (message, response) => {
  const body = message.method === 'GET' ? undefined : Readable.toWeb(message)
  const init = { method: message.method, body, duplex: 'half' } as RequestInit
  const request = new Request(`http://probe.test${message.url}`, init)
  try {
    const answer: Response = await probe.fetch(request, {}, { waitUntil() {} })
    response.writeHead(answer.status, Object.fromEntries(answer.headers))
    await pipeline(Readable.fromWeb(answer.body as never), response)
  } catch {
    response.destroy()
  }
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const host = `127.0.0.1:${port}`
  const hosts = { 'probe.free': host, 'probe.standard': host }
  const target = { name: 'bare', endpoints: { edge: { url: `http://${host}` } }, hosts, adapter }
  writeFileSync(file, JSON.stringify(target))
})
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

test('given only where probes are, what can be asked is, and nothing passes unshown', async () => {
  const ids = [
    'subrequests',
    'subrequests-large',
    'connections',
    'held-bodies',
    'deadlock',
    'redirects'
  ].map((id) => `functions/${id}`)
  const { json } = await plimsollJson('run', ...ids, '--target', file)
  const outcomes = Object.fromEntries(
    json.verdicts.map((verdict: { clause: string; outcome: string }) => [
      verdict.clause,
      verdict.outcome
    ])
  )
  expect(outcomes).toMatchObject({
    'limits.function.subrequests.free': 'fail',
    'limits.function.subrequests.unbound': 'blocked',
    'limits.function.connections.free': 'fail',
    'limits.function.connections.paid': 'fail',
    // What follows from a limit on connections says nothing where there is none.
    'connections.excess-queued': 'inapplicable',
    'connections.start-when-closed': 'inapplicable',
    'connections.unread-body-holds': 'inapplicable',
    'connections.cancel-body-frees': 'inapplicable',
    'connections.deadlock-cancels-lru': 'inapplicable',
    'error.cancelled-connection-throws': 'inapplicable',
    'subrequests.redirects-count': 'inapplicable'
  })
})

/** A listener that serves the same probe at another port, and counts what it is asked. */
async function elsewhere() {
  let asked = 0
  const other = createServer((message, response) => {
    asked++
    server.emit('request', message, response)
  })
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const host = `127.0.0.1:${(other.address() as AddressInfo).port}`
  const close = () => {
    other.closeAllConnections()
    other.close()
  }
  return { host, asked: () => asked, [Symbol.dispose]: close }
}

const asks = ['functions/subrequests', 'functions/subrequests-large']

test('a plan with an address of its own is asked there', async () => {
  using other = await elsewhere()
  const target = JSON.parse(readFileSync(file, 'utf8'))
  target.endpoints['edge.probe.standard'] = { url: `http://${other.host}` }
  target.hosts = { 'probe.free': target.hosts['probe.free'] }
  const own = join(mkdtempSync(join(tmpdir(), 'plimsoll-probe-')), 'target.json')
  writeFileSync(own, JSON.stringify(target))
  const { json } = await plimsollJson('run', ...asks, '--target', own)
  const of = (clause: string) =>
    json.verdicts.find((one: { clause: string }) => one.clause === clause)?.outcome
  expect(of('limits.function.subrequests.free')).toBe('fail')
  expect(of('limits.function.subrequests.standard')).toBe('fail')
  expect(other.asked()).toBeGreaterThan(0)
})

test('a host with a port where nothing is asked is told, and judges nothing', async () => {
  using other = await elsewhere()
  const target = JSON.parse(readFileSync(file, 'utf8'))
  target.hosts['probe.free'] = other.host
  const own = join(mkdtempSync(join(tmpdir(), 'plimsoll-probe-')), 'target.json')
  writeFileSync(own, JSON.stringify(target))
  const { json } = await plimsollJson('run', ...asks, '--target', own)
  const free = json.verdicts.find(
    ({ clause }: { clause: string }) => clause === 'limits.function.subrequests.free'
  )
  expect(free).toMatchObject({
    outcome: 'blocked',
    because: expect.stringContaining('endpoints["edge.probe.free"] = { "url": "http://127.0.0.1:')
  })
  expect(other.asked()).toBe(0)
})
