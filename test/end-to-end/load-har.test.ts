import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { plimsoll, plimsollJson } from './plimsoll.ts'
import { refused } from './refused.ts'

const seen: string[] = []
const server = createServer(async (request, reply) => {
  const { method, url, headers } = request
  let body = ''
  for await (const part of request) body += part
  const own = [headers.cookie, headers['x-own']].filter(Boolean).join(' ')
  seen.push(`${method} ${headers.host} ${url} ${own} ${body}`.trim())
  reply.end('ok')
})
let host: string
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => void seen.splice(0))
afterAll(() => void server.close().closeAllConnections())

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-har-'))
const secret = 'hunter2'

const asked = (url: string, more: object = {}, entry: object = {}) => ({
  pageref: 'page_1',
  request: { method: 'GET', url, headers: [], ...more },
  response: { status: 200 },
  ...entry
})

/** A file as a browser saves it, of what the service and another were asked. */
function har(entries?: object[]): string {
  const file = join(folder, 'session.har')
  const headers = [
    { name: ':authority', value: host },
    { name: 'Host', value: host },
    { name: 'Content-Length', value: '99' },
    { name: 'Cookie', value: `id=${secret}` },
    { name: 'X-Own', value: 'yes' }
  ]
  const ours = `http://${host}`
  const usual = [
    asked(`${ours}/`, { headers }),
    asked(`${ours}/orders?token=${secret}#top`, { method: 'POST', postData: { text: '{"n":1}' } }),
    asked(`${ours}/raw`, { method: 'PUT', postData: { text: 'aGk=', encoding: 'base64' } }),
    asked(`${ours}/second`, {}, { pageref: 'page_2' }),
    asked(`ws://${host}/live`),
    asked('data:text/plain,x'),
    asked(`${ours}/upload`, { method: 'POST', bodySize: 12 }),
    asked(`${ours}/cached`, {}, { _fromCache: 'disk' }),
    asked(`${ours}/gone`, {}, { response: { status: 0 } }),
    asked('http://192.0.2.1/pixel')
  ]
  const pages = [{ id: 'page_1', title: 'The shop' }, { id: 'page_2' }]
  writeFileSync(file, JSON.stringify({ log: { version: '1.2', pages, entries: entries ?? usual } }))
  return file
}

const once = ['-c', '1']

test('what a browser recorded of one host is sent in turn, and the rest is told', async () => {
  const flags = ['--har', har(), '--har-host', host, '-n', '4', ...once]
  const { code, json } = await plimsollJson('load', ...flags)
  expect(seen).toEqual([
    `GET ${host} / id=${secret} yes`,
    `POST ${host} /orders?token=${secret}  {"n":1}`,
    `PUT ${host} /raw  hi`,
    `GET ${host} /second`
  ])
  expect([json.requests, code]).toEqual([4, 0])
  expect(json.remarks).toEqual([
    '4 of 10 requests of session.har, in turn',
    '1 of them with cookies or authorization of then',
    'left out: 1 request, a WebSocket',
    'left out: 1 request, with a body that is not in the file',
    'left out: 1 request, answered by the browser’s cache',
    'left out: 1 request, never answered'
  ])
})

test.each(['page_2', '2'])('one page of it, %s', async (page) => {
  const flags = ['--har-page', page, '-n', '2', ...once]
  const { code } = await plimsoll('load', '--har', har(), ...flags)
  expect([code, seen]).toEqual([0, Array(2).fill(`GET ${host} /second`)])
})

test('it can be sent to another place than it was recorded at, with headers of now', async () => {
  const recorded = [
    asked('https://shop.example.test/a', { headers: [{ name: 'cookie', value: `id=${secret}` }] }),
    asked('http://192.0.2.1/pixel')
  ]
  const flags = ['--har-host', 'shop.example.test', '--cookie', 'id=now', '-n', '1', ...once]
  const { code } = await plimsoll('load', `http://${host}`, '--har', har(recorded), ...flags)
  expect([code, seen]).toEqual([0, [`GET ${host} /a id=now`]])
})

test('no secret of the file is in what is kept or told', async () => {
  const flags = ['--har-host', host, '-n', '4', ...once, '--out', folder]
  const { stdout, stderr } = await plimsoll('load', '--har', har(), ...flags)
  const run = join(folder, 'latest')
  const kept = readdirSync(run).map((name) => readFileSync(join(run, name), 'utf8'))
  expect(kept.length).toBeGreaterThan(4)
  expect([stdout, stderr, ...kept].join('\n')).not.toContain(secret)
})

test.each([
  [['--har-host', 'shop.test'], /--har-host shop\.test: nothing was asked of it; there are 127/],
  [['--har-page', 'page_9'], /--har-page page_9 is no page of the file; nearest: page_1/],
  [['-m', 'POST'], /leave out --method and --body/],
  [['http://127.0.0.1:9/'], /was recorded at .*, 192\.0\.2\.1: choose one with --har-host/],
  [['--curl', 'curl http://127.0.0.1:9/'], /name one of/]
])('wrong: %j', async (flags, message) => {
  const { code, stderr } = await refused('load', '--har', har(), ...flags)
  expect(stderr).toMatch(message)
  expect(code).toBe(64)
})

test('a host that nobody has authorised is asked nothing, and neither are the others', async () => {
  const { code, stderr } = await refused('load', '--har', har())
  expect(stderr).toMatch(/192\.0\.2\.1.*\n.*--har-host/)
  expect([code, seen]).toEqual([77, []])
})

test.each([
  ['{', /--har .*is not JSON/],
  ['{"log":{}}', /log\.entries is not as HAR 1\.2 has it/],
  ['{"log":{"entries":[]}}', /has no request that can be sent/]
])('a file that is none: %s', async (text, message) => {
  const file = join(folder, 'none.har')
  writeFileSync(file, text)
  const { code, stderr } = await refused('load', '--har', file)
  expect(stderr).toMatch(message)
  expect(code).toBe(64)
})
