import { once } from 'node:events'
import { get as ask } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Platform, startPlatform } from '../../../src/platform/platform.ts'
import { api, door } from '../api.ts'

let running: Platform
let call: ReturnType<typeof api>
let zone: { id: string; host: string }
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  call = api(running.announcement)
})
afterAll(() => running.close())

const enforcing = 'content-security-policy'
const reporting = 'content-security-policy-report-only'
const policy = {
  description: '',
  action: 'allow',
  expression: 'true',
  enabled: 'true',
  value: "script-src 'self'"
}

/** A fresh zone with these policies; their ids in order. */
async function having(...policies: Partial<typeof policy>[]): Promise<string[]> {
  const control = door(running.announcement)
  zone = (await control('POST', '/zones', { plan: 'free', origin: 'data:text/html,<p>' })).json
  const ids: string[] = []
  for (const one of policies) ids.push(await create(one))
  return ids
}

async function create(one: object): Promise<string> {
  const path = `/zones/${zone.id}/page_shield/policies`
  const { json } = await call('POST', path, { body: { ...policy, ...one } })
  return json.result.id
}

/** The policy headers of an answer, each value in the order in which they came. */
async function headersOf(path = '/', headers: Record<string, string> = {}) {
  const url = running.announcement.edge + path
  const asked = ask(url, { headers: { host: zone.host, ...headers } })
  const [response] = await once(asked, 'response')
  response.resume()
  const { [enforcing]: allow = [], [reporting]: log = [] } = response.headersDistinct
  return { allow, log }
}

const reportsTo = (id: string | undefined) =>
  `report-uri /cdn-cgi/script_monitor/report?policy=${id}`

test('without policies there is no header', async () => {
  await having()
  expect(await headersOf()).toEqual({ allow: [], log: [] })
})

test('each policy is a header of its own, by its action, oldest first', async () => {
  const ids = await having(
    { value: 'script-src a.test' },
    { value: 'script-src b.test', action: 'log' },
    { value: 'script-src c.test ; ' },
    { value: 'script-src d.test', action: 'log' }
  )
  expect(await headersOf()).toEqual({
    allow: [`script-src a.test; ${reportsTo(ids[0])}`, `script-src c.test; ${reportsTo(ids[2])}`],
    log: [`script-src b.test; ${reportsTo(ids[1])}`, `script-src d.test; ${reportsTo(ids[3])}`]
  })
})

test.each([
  [true, 1],
  ['true', 1],
  [false, 0],
  ['false', 0]
])('enabled %j makes %i header', async (enabled, count) => {
  await having({ enabled: enabled as string })
  expect((await headersOf()).allow).toHaveLength(count)
})

test('a policy is for the requests its expression matches', async () => {
  await having({
    expression:
      'http.request.uri.path matches "^/pay" and not any(http.request.headers["x-a"][*] eq "b")'
  })
  const counts = async (...asked: Parameters<typeof headersOf>) =>
    (await headersOf(...asked)).allow.length
  expect([await counts('/pay'), await counts('/pay/now?x'), await counts('/paid')]).toEqual([
    1, 1, 0
  ])
  expect([await counts('/pay', { 'x-a': 'a' }), await counts('/pay', { 'x-a': 'b' })]).toEqual([
    1, 0
  ])
})

test('what is changed is true at once', async () => {
  const [id] = await having({})
  const path = `/zones/${zone.id}/page_shield/policies/${id}`
  const change = async (body: object) => {
    await call('PUT', path, { body })
    return headersOf()
  }
  expect((await change({ action: 'log' })).log).toHaveLength(1)
  expect(await change({ enabled: 'false' })).toEqual({ allow: [], log: [] })
  expect((await change({ enabled: true, value: "script-src 'none'" })).log).toEqual([
    `script-src 'none'; ${reportsTo(id)}`
  ])
  expect(await change({ expression: 'false' })).toEqual({ allow: [], log: [] })
  await change({ expression: 'true' })
  await call('DELETE', path)
  expect(await headersOf()).toEqual({ allow: [], log: [] })
})
