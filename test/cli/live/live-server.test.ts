import { once } from 'node:events'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveServer, startLiveServer } from '../../../src/cli/live/live-server.ts'
import { sample } from '../../report/sample.ts'

let live: LiveServer
let stopped = 0
beforeAll(async () => {
  live = await startLiveServer('run', () => stopped++)
})
afterAll(() => live.end())

type Answer = { status: number; policy: string; text: string }

/** Asks with headers of any kind, which fetch would not send. */
function ask(url: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      let text = ''
      response.on('data', (part) => (text += part))
      response.on('end', () => {
        const policy = `${response.headers['cache-control']}`
        resolve({ status: response.statusCode!, policy, text })
      })
    })
    sent.on('error', reject).end()
  })
}

test('it listens on loopback, and shows its page to whoever knows the token', async () => {
  const { hostname, pathname } = new URL(live.url)
  expect(hostname).toBe('127.0.0.1')
  expect(pathname.length).toBeGreaterThan(30)
  const page = await ask(live.url)
  expect(page).toMatchObject({ status: 200, policy: 'no-store' })
  expect(page.text).toContain("default-src 'none'")
  expect(page.text).toContain("connect-src 'self'")
})

test.each([
  ['without the token', () => new URL('/', live.url).href, {}],
  ['with another one', () => new URL(`/${'x'.repeat(32)}/`, live.url).href, {}],
  ['by a name that was made to lead here', () => live.url, { host: 'evil.test' }],
  ['from another origin', () => live.url, { origin: 'http://evil.test' }],
  ['for what there is not', () => `${live.url}constructor`, {}],
  ['for a report before there is one', () => `${live.url}report`, {}]
])('who asks %s is told nothing', async (_, url, headers) => {
  expect(await ask(url(), headers)).toMatchObject({ status: 404, text: '' })
})

test('a page from elsewhere stops nothing; ours does, once', async () => {
  const stop = `${live.url}stop`
  await ask(stop, { origin: 'http://evil.test' }, 'POST')
  expect(stopped).toBe(0)
  const origin = new URL(live.url).origin
  for (const _ of [1, 2]) expect((await ask(stop, { origin }, 'POST')).status).toBe(204)
  expect(stopped).toBe(1)
})

test('lines come as they are told, what was before included, and lead to the report', async () => {
  const { header, verdicts } = sample()
  live.tell(header)
  const [lines, again] = ['0', '1'].map((last) => {
    return ask(`${live.url}lines`, { 'last-event-id': last })
  })
  await ask(live.url)
  for (const verdict of verdicts) live.tell({ ...verdict, observed: 'x'.repeat(9_999) })
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-live-'))
  writeFileSync(join(folder, 'report.html'), 'the report')
  const ended = live.end(folder)
  const { text } = await lines!
  const told = [...text.matchAll(/^data: (\{.*\})$/gm)].map(([, line]) => JSON.parse(line!))
  expect(told[0]).toEqual({ t: 'header', name: header.target.name })
  expect(told.slice(1).map(({ clause }) => clause)).toEqual(verdicts.map(({ clause }) => clause))
  expect(told.every(({ evidence }) => evidence === undefined)).toBe(true)
  expect(text.length).toBeLessThan(400 * verdicts.length)
  expect(text).toMatch(/event: end\ndata: report\n\n$/)
  // A page that lost its connection is told what it has not seen.
  expect((await again!).text).toBe(text.slice(text.indexOf('id: 2\n')))
  for (const _ of [1, 2]) expect((await ask(`${live.url}report`)).text).toBe('the report')
  await ended
  await expect(ask(live.url)).rejects.toThrow()
})

test('a page that reads nothing does not have everything held for it', async () => {
  const other = await startLiveServer('run', () => {})
  const { host, port, pathname } = new URL(other.url)
  const page = connect(Number(port), '127.0.0.1')
  page.write(`GET ${pathname}lines HTTP/1.1\r\nhost: ${host}\r\n\r\n`)
  await once(page, 'readable')
  const [verdict] = sample().verdicts
  for (let n = 0; n < 300; n++) other.tell({ ...verdict!, clause: 'x'.repeat(100_000) })
  page.resume()
  await once(page, 'close')
  expect(page.bytesRead).toBeLessThan(300 * 100_000)
  await other.end()
})

test('a page opened late has the first line and the last, and is told of the rest', async () => {
  const other = await startLiveServer('soak', () => {})
  const { header, verdicts } = sample()
  other.tell(header)
  const last = 'the last one'
  for (let n = 0; n < 30_000; n++) other.tell({ ...verdicts[0]!, clause: `c${n}` })
  other.tell({ ...verdicts[0]!, clause: last })
  const [anew, again] = ['0', '30001'].map((seen) =>
    ask(`${other.url}lines`, { 'last-event-id': seen })
  )
  await ask(other.url)
  await other.end()
  const told = [...(await anew!).text.matchAll(/^data: (\{.*\})$/gm)].map(([, line]) =>
    JSON.parse(line!)
  )
  expect(told[0]).toMatchObject({ t: 'header' })
  const [, { t, count }] = told
  expect(t).toBe('forgotten')
  expect(told.at(-1).clause).toBe(last)
  expect(told.length - 2 + count).toBe(30_001)
  expect(told[2].clause).toBe(`c${count}`)
  // Whoever has seen nearly all is told what is new, and of nothing that is gone.
  expect((await again!).text).toMatch(/^id: 30002\ndata: [^\n]*the last one/)
})
