import { once } from 'node:events'
import { createServer as createWeb, type Server } from 'node:http'
import { createServer as createSecure } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { selfSigned } from '../load/certificate.ts'
import { plimsoll, plimsollJson, start } from './plimsoll.ts'
import { refused } from './refused.ts'

const answer: Parameters<typeof createWeb>[1] = (_, reply) => void reply.end('ok')
const plain = createWeb(answer)
const secure = createSecure(selfSigned, answer)

/** A proxy that tunnels, and what it was asked for; one with another password is refused. */
const asked: string[] = []
const proxy = createWeb((_, reply) => void reply.writeHead(500).end()).on(
  'connect',
  ({ url, headers }, socket) => {
    asked.push(`${url} ${headers['proxy-authorization'] ?? ''}`.trim())
    if (headers['proxy-authorization'] === 'Basic bm86bm8=')
      return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const [host, port] = url!.split(':')
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    for (const one of [socket, onward]) one.on('error', () => void [socket, onward].map(end))
  }
)
const end = (one: { destroy(): unknown }) => one.destroy()
const placeOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`
const all = [plain, secure as unknown as Server, proxy]

beforeAll(() => Promise.all(all.map((server) => once(server.listen(0, '127.0.0.1'), 'listening'))))
beforeEach(() => void asked.splice(0))
afterAll(() => {
  for (const server of all) server.close().closeAllConnections()
})

const few = ['-n', '3', '-c', '1', '--engine', 'undici']

test.each([
  ['http', plain],
  ['https', all[1]!]
])('%s goes through the proxy that is named', async (scheme, server) => {
  const url = `${scheme}://${placeOf(server)}/`
  const named = `http://us:er@${placeOf(proxy)}`
  const { json } = await plimsollJson('load', url, ...few, '--insecure', '--proxy', named)
  expect(json.statuses).toEqual({ 200: 3 })
  expect(asked).toEqual([`${placeOf(server)} Basic dXM6ZXI=`])
})

test('so do the other commands that load', async () => {
  const url = `http://${placeOf(plain)}/`
  const through = ['--engine', 'undici', '--proxy', `http://${placeOf(proxy)}`]
  const soak = await plimsoll('soak', url, '-r', '20', '-c', '2', '-d', '3s', ...through)
  expect([soak.stderr, asked.length > 2]).toEqual([expect.not.stringMatching(/plimsoll:/), true])
}, 30_000)

test('a proxy of the environment is none', async () => {
  const url = `http://${placeOf(plain)}/`
  const place = `http://${placeOf(proxy)}`
  const env = { http_proxy: place, HTTP_PROXY: place, ALL_PROXY: place, NODE_USE_ENV_PROXY: '1' }
  const { code } = await start(['load', url, ...few], { env }).ended
  expect([code, asked]).toEqual([0, []])
})

test('a proxy that will not is why there is no answer', async () => {
  const named = `http://no:no@${placeOf(proxy)}`
  const url = `http://${placeOf(plain)}/`
  const { code, json } = await plimsollJson('load', url, ...few, '-d', '1s', '--proxy', named)
  expect(json.unanswered).toMatch(/proxy.*407/)
  expect(code).toBe(2)
})

const at = 'http://127.0.0.1:9/'
const own = 'http://127.0.0.1:9'
test.each([
  [['load', at, '--proxy', own], /--proxy is not for http1: use --transport undici/],
  [['capacity', at, '--proxy', own], /--proxy is not for http1: use --transport undici/],
  [['load', at, ...few, '--proxy', 'socks5://127.0.0.1:9'], /--proxy .* is no http: URL/],
  [['load', at, ...few, '--proxy', own, '--fleet', 'redis://127.0.0.1'], /leave out --fleet/],
  [['probe', at, '--proxy', own], /--proxy is not for probe: .* a proxy/],
  [['run', '--target', at, '--proxy', own], /--proxy is not for run: .* a proxy/]
])('wrong: %j', async (args, message) => {
  const { code, stderr } = await refused(...args)
  expect(stderr).toMatch(message)
  expect(code).toBe(64)
})

test('a proxy elsewhere needs leave as a target does, and leads to no loopback', async () => {
  const elsewhere = ['--proxy', 'http://192.0.2.1:3128']
  const { code, stderr } = await refused('load', at, ...few, ...elsewhere)
  expect(stderr).toMatch(/192\.0\.2\.1/)
  expect(code).toBe(77)
})
