import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { serviceRuleset } from '../../../src/platform/waf/managed-ruleset.ts'
import { api, door } from '../api.ts'
import { head, talk } from '../wire.ts'

let running: Platform
let control: ReturnType<typeof door>
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  control = door(running.announcement)
})
afterAll(() => running.close())

async function having(seed?: object) {
  const origin = 'data:text/html,<p>'
  const zone = (await control('POST', '/zones', { plan: 'enterprise', origin })).json
  if (seed) await control('PATCH', `/zones/${zone.id}/previous-waf`, { enabled: true, ...seed })
  const ask = async (path: string) => {
    const asked = get(running.announcement.edge + path, { headers: { host: zone.host } })
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
  const events = async () => (await control('GET', `/zones/${zone.id}/security-events`)).json
  return { ...zone, ask, events }
}

const attack = '/a?q=%3Cscript%3E'

test('a zone whose WAF was never touched lets everything through, and notes nothing', async () => {
  const { ask, events } = await having()
  expect([await ask(attack), await events()]).toEqual([200, []])
})

test('what is found becomes an event, with the request it is about', async () => {
  const { ask, events, host } = await having({})
  expect([await ask('/a?q=b'), await ask(attack)]).toEqual([200, 403])
  expect(await events()).toEqual([
    {
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      ...{ source: 'previous-waf', action: 'block', method: 'GET', host, path: '/a' },
      ruleId: expect.stringMatching(/^[0-9a-f]{32}$/),
      rulesetId: expect.stringMatching(/^[0-9a-f]{32}$/),
      address: expect.stringMatching(/127\.0\.0\.1$/),
      ray: expect.stringMatching(/^[0-9a-f]{16}$/)
    }
  ])
})

test('firewall rules come before the WAF, and a change counts at once', async () => {
  const expression = 'http.request.uri.path eq "/a"'
  const { id, ask, events } = await having({ firewallRules: [{ expression, action: 'bypass' }] })
  expect(await ask(attack)).toBe(200)
  await control('PATCH', `/zones/${id}/previous-waf`, {
    firewallRules: [{ expression, action: 'block' }]
  })
  expect(await ask('/a')).toBe(403)
  const found = (await events()).map(({ source, action }: Record<string, string>) => [
    source,
    action
  ])
  expect(found).toEqual([
    ['firewall-rules', 'skip'],
    ['firewall-rules', 'block']
  ])
})

test('in validation mode the new WAF looks first, the other at what it lets through', async () => {
  const { id, ask, events } = await having({})
  const call = api(running.announcement)
  const rule = { action: 'execute', expression: 'true' }
  const action_parameters = { id: serviceRuleset.id, overrides: { action: 'log' } }
  const path = `/zones/${id}/rulesets/phases/http_request_firewall_managed/entrypoint`
  const body = { name: 'Log', rules: [{ ...rule, action_parameters }] }
  await call('PUT', `${path}?waf_migration=validation&phase_two=1`, { body })
  expect(await ask(attack)).toBe(403)
  const found = (await events()).map(({ source, action }: Record<string, string>) => [
    source,
    action
  ])
  expect(found).toEqual([
    ['waf', 'log'],
    ['previous-waf', 'block']
  ])
})

test('after a reset the WAFs of a zone are forgotten with it', async () => {
  const { edge, zones, hosts } = running.announcement
  await control('PATCH', `/zones/${zones.free}/previous-waf`, { enabled: true })
  const ask = async () => {
    const [response] = (await once(
      get(edge + attack, { headers: { host: hosts.free } }),
      'response'
    )) as [IncomingMessage]
    response.resume()
    return response.statusCode
  }
  expect(await ask()).toBe(403)
  await control('POST', '/reset', {})
  expect(await ask()).toBe(404)
})

test.each([
  ['application/x-www-form-urlencoded', `a=1&q=${encodeURIComponent("' OR 1=1--")}`],
  ['application/json', JSON.stringify({ a: { q: "' OR 1=1--" } })],
  [
    'multipart/form-data; boundary=b',
    '--b\r\nContent-Disposition: form-data; name="q"\r\n\r\n\' OR 1=1--\r\n--b--\r\n'
  ]
])('an injection in a body of %s is found', async (type, body) => {
  const [guarded, open] = [await having({}), await having()]
  const { edge } = running.announcement
  expect(await post(edge, { host: guarded.host, type, body })).toMatch(/^HTTP\/1\.1 403/)
  expect(await guarded.events()).toHaveLength(1)
  expect(await post(edge, { host: open.host, type, body })).toMatch(/^HTTP\/1\.1 200/)
})

test('of a large body the first 128 KiB are looked at, and all of it is passed on', async () => {
  const zone = (await control('POST', '/zones', { plan: 'pro' })).json
  await control('PATCH', `/zones/${zone.id}/previous-waf`, { enabled: true })
  const { edge } = running.announcement
  const asked = { host: zone.host, type: 'application/x-www-form-urlencoded' }
  const padded = (bytes: number) => `a=${'x'.repeat(bytes)}&q=<script>`
  expect(await post(edge, { ...asked, body: padded(100_000) })).toMatch(/^HTTP\/1\.1 403/)
  const late = await post(edge, { ...asked, body: padded(1_000_000) })
  expect(late).toMatch(/^HTTP\/1\.1 200/)
  expect(late).toContain(`"bytes":${padded(1_000_000).length}`)
})

test('who waits to be told to go on is told, and looked at', async () => {
  const zone = (await control('POST', '/zones', { plan: 'pro' })).json
  await control('PATCH', `/zones/${zone.id}/previous-waf`, { enabled: true })
  const asked = { host: zone.host, type: 'application/json', body: '["<script>"]' }
  const said = await post(running.announcement.edge, { ...asked, more: ['Expect: 100-continue'] })
  expect(said.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 100', 'HTTP/1.1 403'])
})

async function post(
  edge: string,
  { host, type, body, more = [] }: { host: string; type: string; body: string; more?: string[] }
): Promise<string> {
  const lines = [`Host: ${host}`, `Content-Type: ${type}`, `Content-Length: ${body.length}`]
  const sent = [head('POST /echo', ...lines, ...more, 'Connection: close'), body]
  return (await talk(edge, sent)).text
}
