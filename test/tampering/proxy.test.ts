import { once } from 'node:events'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { openProxy, type TamperingProxy } from '../../src/tampering/proxy.ts'

const open: { close: () => unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** A proxy before a server that answers with these bytes, and what the server was sent. */
async function before(
  answer: string | Buffer
): Promise<{ proxy: TamperingProxy; sent: () => string }> {
  let sent = ''
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      sent += bytes.toString('latin1')
      if (sent.includes('\r\n\r\n')) socket.write(answer)
      if (answer.includes('close')) socket.end()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(server)
  const { port } = server.address() as AddressInfo
  const endpoint = { url: `http://127.0.0.1:${port}/base` }
  const proxy = await openProxy('service', { endpoint, traffic: {} })
  open.unshift(proxy)
  return { proxy, sent: () => sent.replaceAll(`:${port}`, ':PORT') }
}

/** What comes back over a connection of its own, until so many bytes or its end. */
async function asked(proxy: TamperingProxy, request: string, bytes = Infinity): Promise<string> {
  const socket = connect(Number(new URL(proxy.endpoint.url).port), '127.0.0.1')
  socket.write(request)
  let said = ''
  for await (const part of socket) {
    said += part.toString('latin1')
    if (said.length >= bytes) break
  }
  return said
}

const odd = 'HTTP/1.1 201 Made Up\r\nX-One: 1\r\nx-one:  2\r\nTransfer-Encoding: chunked\r\n\r\n'
const chunks = '3;ext=1\r\n{"a\r\n4\r\n":1}\r\n0\r\nTrailer: t\r\n\r\n'

test('what is not tampered with comes as it is, to the byte', async () => {
  const { proxy, sent } = await before(odd + chunks)
  const { host } = new URL(proxy.endpoint.url)
  const request = `POST /base/x HTTP/1.1\r\nhOst: ${host}\r\nContent-Length: 2\r\n\r\nhi`
  expect(await asked(proxy, request, (odd + chunks).length)).toBe(odd + chunks)
  expect(sent()).toBe(request.replace(host, '127.0.0.1:PORT'))
  expect(proxy.take()).toMatchObject([
    {
      asked: { method: 'POST', path: '/base/x', body: 'hi', bodyBytes: 2 },
      answer: { status: 201, json: { a: 1 }, headers: { 'x-one': '1, 2' } }
    }
  ])
  expect(proxy.take()).toEqual([])
})

test('what was asked before is known again, and which of many things it is about', async () => {
  const { proxy } = await before('HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n')
  for (const id of ['0a1b2c3d', '1a1b2c3d', '0a1b2c3d', '2a1b2c3d'])
    await asked(proxy, `GET /zones/${id} HTTP/1.1\r\nHost: shop\r\n\r\n`)
  await asked(proxy, 'GET /zones/0a1b2c3d HTTP/1.1\r\nHost: other\r\n\r\n')
  const told = proxy.take().map(({ again, nth }) => [again, nth])
  expect(told).toEqual([
    ...[
      [false, 0],
      [false, 1],
      [true, 0],
      [false, 2]
    ],
    ...[[false, 0]]
  ])
})

test('an answer is another one, in whatever framing it came', async () => {
  const { proxy } = await before(odd + chunks)
  proxy.tamper(({ answer }) => ({ ...answer, status: 404, text: '{"a":2}' }))
  const text = await asked(proxy, 'GET / HTTP/1.1\r\nHost: other\r\n\r\n', 65)
  expect(text).toMatch(
    /^HTTP\/1\.1 404 Not Found\r\nx-one: 1, 2\r\ncontent-length: 7\r\n\r\n{"a":2}$/
  )
})

test('an answer in a coding is kept out of it, and what nobody reads is not', async () => {
  const answers = [brotliCompressSync('{"a":1}'), gzipSync('plain'), Buffer.from([0xff, 0xfe])]
  const codings = ['br', 'gzip', 'gzip']
  const seen = []
  for (const [at, body] of answers.entries()) {
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${codings[at]}\r\n`
    const whole = `${head}Content-Length: ${body.length}\r\n\r\n`
    const { proxy } = await before(Buffer.concat([Buffer.from(whole), body]))
    await asked(proxy, 'GET / HTTP/1.1\r\nHost: other\r\n\r\n', whole.length + body.length)
    seen.push(...proxy.take().map(({ answer: { json, text } }) => ({ json, text })))
  }
  expect(seen).toEqual([
    { json: { a: 1 }, text: '{"a":1}' },
    { json: undefined, text: 'plain' },
    { json: undefined, text: undefined }
  ])
})

test('an answer that lasts until the connection ends is whole then', async () => {
  const { proxy } = await before('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nhello')
  proxy.tamper(({ answer }) => ({ ...answer, text: answer.text?.toUpperCase() }))
  const text = await asked(proxy, 'GET / HTTP/1.1\r\nHost: other\r\n\r\n')
  expect(text).toMatch(/\r\n\r\nHELLO$/)
})

test('an invitation to send the body is passed on at once', async () => {
  const { proxy } = await before('HTTP/1.1 100 Continue\r\n\r\n')
  const request =
    'PUT / HTTP/1.1\r\nHost: other\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n'
  expect(await asked(proxy, request, 20)).toBe('HTTP/1.1 100 Continue\r\n\r\n')
})

test('what is no HTTP is passed on as well', async () => {
  const { proxy } = await before('hello, close\n')
  expect(await asked(proxy, 'GET / HTTP/1.1\r\nHost: other\r\n\r\n')).toBe('hello, close\n')
  expect(proxy.take()).toEqual([])
})

test('who speaks HTTP/2 is passed on, request after request, and read by nobody', async () => {
  const server = createHttp2Server((request, response) => {
    request.pipe(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(server)
  const { port } = server.address() as AddressInfo
  const endpoint = { url: `http://127.0.0.1:${port}` }
  const proxy = await openProxy('service', { endpoint, traffic: {} })
  open.unshift(proxy)
  const session = connectHttp2(proxy.endpoint.url)
  open.unshift(session)
  const answers = ['one', 'x'.repeat(300_000), 'two'].map(async (body) => {
    const stream = session.request({ ':method': 'POST', ':path': '/' })
    stream.end(body)
    return (await text(stream)) === body
  })
  expect(await Promise.all(answers)).toEqual([true, true, true])
  expect(proxy.take()).toEqual([])
})

test('who is not there is not there through the proxy either', async () => {
  const endpoint = { url: 'http://127.0.0.1:1' }
  const proxy = await openProxy('service', { endpoint, traffic: {} })
  open.push(proxy)
  const outcome = asked(proxy, 'GET / HTTP/1.1\r\nHost: other\r\n\r\n')
  expect(await outcome.catch(() => '')).toBe('')
})
