import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SecurityEvent } from '../../../src/platform/kernel/security-event.ts'
import { type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { type Sink, sink } from '../../../src/servers/sink.ts'
import { api, door } from '../api.ts'
import { head, talk } from '../wire.ts'

let running: Platform
let logs: Sink
beforeAll(async () => {
  running = await startPlatform({ port: 0, allowEgress: ['127.0.0.1:*'] })
  logs = await sink()
})
afterAll(async () => {
  await running.close()
  await logs.close()
})

/** A fresh zone with a job on a dataset, and its inbox. */
async function zoneWithJob(dataset: string, zone: object = {}) {
  const { announcement: said } = running
  const { json } = await door(said)('POST', '/zones', { plan: 'enterprise', ...zone })
  const inbox = logs.inbox(json.id)
  const options = { timestamp_format: 'rfc3339ms' }
  const body = { dataset, destination_conf: inbox.url, output_options: options }
  const jobs = `/zones/${json.id}/logpush/jobs`
  const { json: created } = await api(said)('POST', jobs, { body })
  return {
    ...json,
    change: (body: object) => api(said)('PUT', `${jobs}/${created.result.id}`, { body }),
    ask: (line: string, ...lines: string[]) =>
      talk(said.edge, [head(line, `Host: ${json.host}`, 'Connection: close', ...lines)]),
    async records() {
      await door(said)('POST', `/zones/${json.id}/logpush/deliver`)
      return inbox.records()
    }
  }
}

const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

test('a request is on record with what is known of it', async () => {
  const zone = await zoneWithJob('http_requests')
  const agent = 'User-Agent: x'
  const { body } = await zone.ask('GET /echo?a=1', agent, 'Referer: http://b.test/')
  expect(await zone.records()).toEqual([
    {
      ClientIP: '127.0.0.1',
      ClientRequestBytes: expect.any(Number),
      ClientRequestHost: zone.host,
      ClientRequestMethod: 'GET',
      ClientRequestPath: '/echo',
      ClientRequestProtocol: 'HTTP/1.1',
      ClientRequestReferer: 'http://b.test/',
      ClientRequestScheme: 'http',
      ClientRequestURI: '/echo?a=1',
      ClientRequestUserAgent: 'x',
      ClientSrcPort: expect.any(Number),
      EdgeEndTimestamp: stamp,
      EdgeResponseBytes: body.length,
      EdgeResponseContentType: 'application/json',
      EdgeResponseStatus: 200,
      EdgeStartTimestamp: stamp,
      RayID: expect.stringMatching(/^[0-9a-f]{16}$/),
      ZoneName: zone.host
    }
  ])
})

test('whatever a request comes to, it is on record, once', async () => {
  const origin = createServer((request, response) => {
    if (request.url === '/cut') response.write('x', () => response.destroy())
    else response.writeHead(201).end('from the origin')
  }).listen(0, '127.0.0.1')
  await once(origin, 'listening')
  const { port } = origin.address() as AddressInfo
  const zone = await zoneWithJob('http_requests', { origin: `http://127.0.0.1:${port}` })
  await zone.ask('GET /a')
  await zone.ask(`GET /${'x'.repeat(20_000)}`)
  await zone.ask('GET /b', `X: ${'x'.repeat(20_000)}`)
  await zone.ask('POST /c', `Content-Length: ${600 * 1_048_576}`)
  await zone.ask('GET /loop', 'CDN-Loop: a')
  await zone.ask('POST /cdn-cgi/script_monitor/report', 'Content-Length: 0')
  await zone.ask('GET /cut')
  origin.close()
  origin.closeAllConnections()
  await zone.ask('GET /down')
  const seen = (await zone.records()).map((record: any) => [
    record.ClientRequestPath.slice(0, 5),
    record.EdgeResponseStatus
  ])
  expect(seen).toEqual([
    ['/a', 201],
    ['/xxxx', 414],
    ['/b', 431],
    ['/c', 413],
    ['/loop', 508],
    ['/cdn-', 415],
    ['/cut', 200],
    ['/down', 502]
  ])
})

test('a change of a job counts from the next request on', async () => {
  const zone = await zoneWithJob('http_requests')
  const key = 'ClientRequestPath'
  const filter = JSON.stringify({ where: { key, operator: 'eq', value: '/b' } })
  const changes = [{}, { enabled: false }, { enabled: true }, { filter }, { filter: null }]
  for (const [number, change] of changes.entries()) {
    expect((await zone.change(change)).status).toBe(200)
    await zone.ask(`GET /a?${number}`)
    await zone.ask(`GET /b?${number}`)
  }
  const uris = (await zone.records()).map((record: any) => record.ClientRequestURI)
  expect(uris).toEqual(['/a?0', '/b?0', '/a?2', '/b?2', '/b?3', '/a?4', '/b?4'])
})

test('a violation of a policy is on record', async () => {
  const zone = await zoneWithJob('page_shield_events')
  const path = `/zones/${zone.id}/page_shield`
  const call = api(running.announcement)
  await call('PUT', path, { body: { enabled: true } })
  const policy = { description: '', action: 'log', expression: 'true', enabled: true }
  const { json } = await call('POST', `${path}/policies`, {
    body: { ...policy, value: "script-src 'self'" }
  })
  const report = JSON.stringify({
    'csp-report': {
      'document-uri': `http://${zone.host}/pay?secret=1`,
      'blocked-uri': 'https://bad.test/a.js',
      'effective-directive': 'script-src-elem',
      disposition: 'report'
    }
  })
  const line = `POST /cdn-cgi/script_monitor/report?policy=${json.result.id}`
  const type = 'Content-Type: application/csp-report'
  const lines = [`Host: ${zone.host}`, 'Connection: close', type]
  const ask = head(line, ...lines, `Content-Length: ${report.length}`)
  expect((await talk(running.announcement.edge, [ask, report])).statuses).toEqual([204])
  expect(await zone.records()).toEqual([
    {
      Action: 'log',
      CSPDirective: 'script-src-elem',
      Host: zone.host,
      PageURL: `http://${zone.host}/pay`,
      PolicyID: json.result.id,
      Timestamp: stamp,
      URL: 'https://bad.test/a.js',
      URLHost: 'bad.test'
    }
  ])
})

test('what a WAF finds is on record as it is among the security events', async () => {
  const { announcement: said } = running
  const zone = said.zones.business!
  const inbox = logs.inbox(zone)
  const body = { dataset: 'firewall_events', destination_conf: inbox.url }
  const attack = '/a?q=%3Cscript%3E'
  await door(said)('PATCH', `/zones/${zone}/previous-waf`, { enabled: true })
  const lines = [`Host: ${said.hosts.business}`, 'Connection: close']
  const ask = () => talk(said.edge, [head(`GET ${attack}`, ...lines)])
  await ask()
  await api(said)('POST', `/zones/${zone}/logpush/jobs`, { body })
  const events = async () => (await door(said)('GET', `/zones/${zone}/security-events`)).json
  const before = await events()
  await ask()
  await door(said)('POST', `/zones/${zone}/logpush/deliver`)
  const added = (await events()).slice(before.length)
  expect(added.length).toBeGreaterThan(0)
  expect(inbox.records()).toMatchObject(
    added.map(({ action, ruleId, source, ray, path }: SecurityEvent) => ({
      ...{ Action: action, RuleID: ruleId, Source: source, RayID: ray, ClientRequestPath: path },
      ...{ ClientRequestMethod: 'GET', ClientRequestHost: said.hosts.business }
    }))
  )
})
