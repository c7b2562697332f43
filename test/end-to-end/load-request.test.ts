import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plimsoll } from './plimsoll.ts'
import { refused } from './refused.ts'

/** What the last request was. */
let last: { method?: string; path?: string; headers: NodeJS.Dict<unknown>; body: Buffer }
let server: Server
let url: string
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray())
    last = { method: request.method, path: request.url, headers: request.headers, body }
    response.end('ok')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

const once1 = ['-n', '1', '-c', '1']
const bytes = Buffer.from([0, 255, 10, 13, 64])
const file = join(mkdtempSync(join(tmpdir(), 'plimsoll-body-')), 'body')
writeFileSync(file, bytes)

test('a body comes from a file as it is, cookies and a user from flags', async () => {
  const flags = ['-m', 'POST', '-b', `@${file}`, '--cookie', 'a=1', '--cookie', 'b=2']
  const { code } = await plimsoll('load', url, ...once1, ...flags, '--user', 'me:pass:word')
  expect(code).toBe(0)
  expect(last.body).toEqual(bytes)
  const authorization = `Basic ${Buffer.from('me:pass:word').toString('base64')}`
  expect(last.headers).toMatchObject({ cookie: 'a=1; b=2', authorization })
})

test('a curl command is sent as curl sends it', async () => {
  const command = `curl '${url}/orders?a=b&c' \\\n -H 'x-one: 1' --data-raw '{"n":1}' --compressed`
  const { code } = await plimsoll('load', '--curl', command, ...once1, '-H', 'x-two: 2')
  expect(code).toBe(0)
  expect(last).toMatchObject({ method: 'POST', path: '/orders?a=b&c' })
  expect(last.headers).toMatchObject({ 'x-one': '1', 'x-two': '2' })
  expect(`${last.body}`).toBe('{"n":1}')
})

const at = 'http://127.0.0.1:9/'
test.each([
  [
    'no file',
    [at, '-b', '@nowhere'],
    /--body @nowhere cannot be read: there is none; name one that is there/
  ],
  ['no cookie', [at, '--cookie', 'jar'], /--cookie "jar" is not of the form/],
  ['no password', [at, '--user', 'me'], /--user is not of the form "name:password"/],
  ['a password in the URL', ['http://me:x@127.0.0.1:9/'], /holds a password/],
  ['nothing', [], /name a URL, or what to send with --curl or --har/],
  ['both', [at, '--curl', 'curl a'], /name one of a URL, --curl with/],
  ['two bodies', ['--curl', 'curl a', '-b', 'x'], /leave out --method and --body/],
  ['a way that nothing is sent', [at, '-m', 'CONNECT'], /cannot send a CONNECT request/],
  ['a header of two lines', [at, '-H', 'a: b\r\nc: d'], /--header/]
])('wrong: %s', async (_, args, message) => {
  const { code, stderr } = await refused('load', ...args)
  expect(stderr).toMatch(message)
  expect(code).toBe(64)
})
