import { request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Announcement,
  type Platform,
  startPlatform
} from '../../../../src/platform/platform.ts'

let running: Platform
let said: Announcement
beforeAll(async () => {
  running = await startPlatform({ port: 0 })
  said = running.announcement
})
afterAll(() => running.close())

type Knock = {
  method?: string
  path?: string
  /** Besides these, or in place of them, what a client with the secret sends. */
  headers?: Record<string, string | undefined>
  body?: string
}

/** Asks the control listener for a zone, with the secret and as JSON unless headers differ. */
async function knock({ method = 'POST', path = '/zones', headers = {}, body }: Knock = {}) {
  const { hostname, port, host } = new URL(said.control)
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; error: string }>()
  const own = {
    host,
    authorization: `Bearer ${said.controlToken}`,
    'content-type': 'application/json'
  }
  const all = Object.entries({ ...own, ...headers }).filter(([, value]) => value !== undefined)
  const asked = request(
    { hostname, port, method, path, headers: Object.fromEntries(all) as Record<string, string> },
    async (response) => {
      const text = Buffer.concat(await response.toArray()).toString()
      resolve({ status: response.statusCode!, error: JSON.parse(text).error })
    }
  )
  asked.once('error', reject).end(body ?? '{"plan":"free"}')
  return promise
}

test('whoever has the secret is let in', async () => {
  expect((await knock()).status).toBe(200)
  expect((await knock({ headers: { 'content-type': 'application/json; charset=utf-8' } })).status)
    .toBe(200) // biome-ignore format: one expectation
  expect((await knock({ method: 'GET', path: '/clock', body: '' })).status).toBe(200)
})

test.each<[what: string, headers: Knock['headers'], status: number, error: RegExp]>([
  ['nothing', { authorization: undefined }, 401, /Authorization: Bearer/],
  ['another secret', { authorization: `Bearer ${'0'.repeat(64)}` }, 401, /Authorization: Bearer/],
  ['a part of it', { authorization: 'Bearer 0' }, 401, /Authorization: Bearer/],
  ['another scheme', { authorization: 'Basic eDp5' }, 401, /Authorization: Bearer/],
  ['an origin', { origin: 'https://evil.test' }, 403, /Origin/],
  ['the origin of a file', { origin: 'null' }, 403, /Origin/],
  ['a name that leads here', { host: 'evil.test' }, 403, /Host/],
  ['a name and the port', { host: 'evil.test:80' }, 403, /Host/],
  ['plain text', { 'content-type': 'text/plain' }, 415, /application\/json/],
  ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, 415, /application\/json/],
  ['a body of no type', { 'content-type': undefined }, 415, /application\/json/]
])('%s is refused', async (_what, headers, status, error) => {
  const count = async () => ((await (await get('/zones')).json()) as unknown[]).length
  const before = await count()
  const refused = await knock({ headers })
  expect(refused).toEqual({ status, error: expect.stringMatching(error) })
  expect(await count()).toBe(before)
})

const get = (path: string) =>
  fetch(said.control + path, { headers: { authorization: `Bearer ${said.controlToken}` } })

test('the tokens of the management API do not open the door', async () => {
  for (const token of [said.token, said.readOnlyToken, said.apiKey])
    expect((await knock({ headers: { authorization: `Bearer ${token}` } })).status).toBe(401)
})

test('nothing is said of what is there to whoever is not let in', async () => {
  for (const path of ['/', '/zones', '/nowhere', '/functions/x'])
    expect((await knock({ path, headers: { authorization: undefined } })).status).toBe(401)
})

test('each start has a secret of its own, of 32 bytes', async () => {
  const other = await startPlatform({ port: 0 })
  await other.close()
  expect(said.controlToken).toMatch(/^[0-9a-f]{64}$/)
  expect(other.announcement.controlToken).not.toBe(said.controlToken)
})
