import { createServer as createHttp1Server } from 'node:http'
import {
  createSecureServer,
  createServer,
  type Http2Server,
  type ServerHttp2Stream
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { frames, wordsFrame } from '../../../src/load/http2/frame.ts'
import { closed, hold, open } from '../../../src/load/load.ts'
import { ask } from '../ask.ts'
import { selfSigned } from '../certificate.ts'
import { answer, listen } from '../server.ts'
import { listenHttp2, response } from './peer.ts'

const transport = 'http2'
const fifty = closed({ connections: 2, pipelining: 5, iterations: 50 })

/** Starts a server of Node's own HTTP/2; it ends with the test. */
async function serve(
  onStream: (stream: ServerHttp2Stream, headers: Record<string, unknown>) => void,
  { secure = false, settings = {} } = {}
): Promise<string> {
  const server: Http2Server = secure
    ? createSecureServer({ ...selfSigned, settings })
    : createServer({ settings })
  const sessions = new Set<{ destroy(): void }>()
  server.on('session', (session) => sessions.add(session))
  server.on('stream', (stream: ServerHttp2Stream, headers) => {
    stream.on('error', () => {})
    onStream(stream, headers)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const session of sessions) session.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return `${secure ? 'https' : 'http'}://127.0.0.1:${port}/`
}

describe("with Node's server", () => {
  test.each([false, true])('requests are answered as streams; over TLS: %s', async (secure) => {
    let most = 0
    let now = 0
    const url = await serve(
      (stream) => {
        most = Math.max(most, ++now)
        setImmediate(() => {
          now--
          stream.respond({ ':status': 200, 'x-a': 'b' })
          stream.end('hello')
        })
      },
      { secure }
    )
    const { results, connections } = await ask({ url }, fifty, { transport, verifyTls: false })
    expect(results).toEqual({ 200: 50 })
    expect(connections).toMatchObject({ opened: 2, lost: 0, failed: {}, protocol: 'HTTP/2' })
    expect(connections.ends).toBeUndefined()
    expect(most).toBeGreaterThan(2)
  })

  test('bodies go up and come down, however large, with trailers', async () => {
    const heard: number[] = []
    const url = await serve((stream) => {
      let bytes = 0
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      stream.on('end', () => {
        heard.push(bytes)
        stream.respond({ ':status': 201 }, { waitForTrailers: true })
        stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': 'abc' }))
        stream.end(Buffer.alloc(300_000, 'x'))
      })
    })
    const body = 'y'.repeat(400_000)
    const sizes: number[] = []
    const checks = { sized: ({ bytes }: { bytes: Buffer }) => sizes.push(bytes.length) > 0 }
    const found = await ask({ url, method: 'POST', body }, fifty, { transport, checks })
    expect(found.results).toEqual({ 201: 50 })
    expect(heard).toEqual(Array(50).fill(400_000))
    expect(sizes).toEqual(Array(50).fill(300_000))
    expect(found.bytes.sent).toBeGreaterThan(50 * 400_000)
    expect(found.bytes.received).toBeGreaterThan(50 * 300_000)
  })

  test('no more streams are open than the target allows; the others wait', async () => {
    let most = 0
    let now = 0
    const url = await serve(
      (stream) => {
        most = Math.max(most, ++now)
        setTimeout(() => {
          now--
          stream.respond({ ':status': 200 }, { endStream: true })
        }, 2)
      },
      { settings: { maxConcurrentStreams: 3 } }
    )
    const load = closed({ connections: 1, pipelining: 20, iterations: 60 })
    const { results, connections } = await ask({ url }, load, { transport })
    expect(results).toEqual({ 200: 60 })
    expect(connections.ends).toBeUndefined()
    expect(most).toBe(3)
  })

  test('HEAD, no content and not modified have no body', async () => {
    const url = await serve((stream, headers) => {
      const status = Number(String(headers[':path']).slice(1))
      stream.respond({ ':status': status, 'content-length': 9 }, { endStream: true })
    })
    const requests = [{ url: `${url}200`, method: 'HEAD' }, { url: `${url}304` }]
    expect((await ask(requests, fifty, { transport })).results).toEqual({ 200: 25, 304: 25 })
  })

  test('an open load has both its clocks', async () => {
    const url = await serve((stream) => {
      stream.respond({ ':status': 200 })
      stream.end('x')
    })
    const load = { ...open(hold({ rate: 200, seconds: 0.5 })), connections: 2, pipelining: 10 }
    const { results, response: due, service, firstByte } = await ask({ url }, load, { transport })
    expect(results).toEqual({ 200: 100 })
    expect([due.count, service.count, firstByte.count]).toEqual([100, 100, 100])
    expect(due.sumUs).toBeGreaterThanOrEqual(service.sumUs)
  })

  test('a stream that is reset is an ending of its own, and says why', async () => {
    let n = 0
    const url = await serve((stream) => {
      if (++n % 5 === 0) stream.close(0xb)
      else stream.respond({ ':status': 200 }, { endStream: true })
    })
    const { results, connections } = await ask({ url }, fifty, { transport })
    expect(results).toEqual({ 200: 40, rst_stream: 10 })
    expect(connections).toMatchObject({ lost: 0, ends: { 'RST_STREAM (ENHANCE_YOUR_CALM)': 10 } })
  })

  test('a graceful GOAWAY loses nothing: what it does not answer is asked again', async () => {
    let n = 0
    const url = await serve((stream) => {
      if (++n % 10 === 0) stream.session!.goaway(0)
      stream.respond({ ':status': 200 }, { endStream: true })
    })
    const { results, connections } = await ask({ url }, fifty, { transport })
    expect(results).toEqual({ 200: 50 })
    expect(connections.ends!['GOAWAY (NO_ERROR)']).toBeGreaterThan(1)
    expect(connections.opened).toBeGreaterThan(2)
  })
})

describe('who does not speak it', () => {
  const short = closed({ users: 1, seconds: 0.2 })

  test('HTTP/1.1 without TLS: nothing connects, and it says why', async () => {
    const { url } = await listen(answer('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'))
    const server = createHttp1Server((_, reply) => reply.end())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    const node = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const { connections, results } = await ask({ url: node }, short, { transport })
    expect(Object.keys(results)).toEqual(['malformed'])
    expect(Object.keys(connections.causes)[0]).toMatch(/^no HTTP\/2 at .*: it speaks HTTP\/1.1$/)
    expect((await ask({ url }, short, { transport })).connections.opened).toBe(0)
  })

  test('HTTP/1.1 over TLS: no protocol is agreed on', async () => {
    const { url } = await listen(answer('HTTP/1.1 200 OK\r\n\r\n'), { secure: true })
    const { results, connections } = await ask({ url }, short, { transport, verifyTls: false })
    expect(Object.keys(results)).toEqual(['tls'])
    expect(Object.keys(connections.causes)[0]).toMatch(/it does not speak HTTP\/2/)
  })

  test('nobody', async () => {
    const { results } = await ask({ url: 'http://127.0.0.1:9/' }, short, { transport })
    expect(Object.keys(results)).toEqual(['refused'])
  })
})

describe('when it takes too long', () => {
  test('one stream is given up, and told so; the others and the connection go on', async () => {
    let resets = 0
    const { url, accepted } = await listenHttp2({
      onFrame: (_, type) => void (type === frames.resetStream && resets++),
      onRequest(peer, id) {
        if (id !== 1) setTimeout(() => peer.say(response(id, 200, 'x')), 2)
      }
    })
    const load = closed({ connections: 1, pipelining: 4, seconds: 0.4, timeoutMs: 100 })
    const { 200: answered, ...others } = (await ask({ url }, load, { transport })).results
    expect(others).toEqual({ timeout: 1 })
    expect(answered).toBeGreaterThan(10)
    expect(accepted()).toBe(1)
    expect(resets).toBe(1)
  })

  test('a connection that gives no sign of life is made again', async () => {
    let silent = true
    const { url, accepted } = await listenHttp2({
      onRequest(peer, id) {
        if (!silent) peer.say(response(id, 200))
      },
      onFrame(peer, type) {
        // It takes everything, and reads and says nothing any more.
        if (type === frames.ping) setTimeout(() => (silent = false), 50)
        else if (silent && type === frames.headers) peer.socket.resume()
      }
    })
    const load = closed({ users: 1, iterations: 6, timeoutMs: 60 })
    const { results } = await ask({ url }, load, { transport })
    const { timeout = 0, 200: answered = 0 } = results
    expect(timeout + answered).toBe(6)
    expect(timeout).toBeGreaterThan(0)
    expect(answered).toBeGreaterThan(0)
    expect(accepted()).toBeLessThanOrEqual(2)
  })
})

test('a connection that is lost takes its streams with it', async () => {
  const { url } = await listenHttp2({
    onRequest(peer, id) {
      if (id === 7) peer.socket.destroy()
    }
  })
  const load = closed({ connections: 1, pipelining: 4, iterations: 4 })
  const { results, connections } = await ask({ url }, load, { transport })
  expect(results).toEqual({ closed: 4 })
  expect(connections.lost).toBe(1)
})

test('who turns everything away with an error is not asked the same for ever', async () => {
  const { url } = await listenHttp2({
    onRequest: (peer) => peer.say(wordsFrame(frames.goAway, 0, 0, 0xb))
  })
  const load = closed({ connections: 1, pipelining: 2, iterations: 4 })
  const { results, connections } = await ask({ url }, load, { transport })
  expect(results).toEqual({ goaway: 4 })
  expect(Object.keys(connections.ends!)).toEqual(['GOAWAY (ENHANCE_YOUR_CALM)'])
})

test('event streams are heard over it as they are over HTTP/1.1', async () => {
  const url = await serve((stream) => {
    stream.respond({ ':status': 200, 'content-type': 'text/event-stream' })
    let n = 0
    const timer = setInterval(() => void (stream.closed || stream.write(`data: ${n++}\n\n`)), 2)
    stream.on('close', () => clearInterval(timer))
  })
  const load = closed({ connections: 1, pipelining: 3, iterations: 9 })
  const { results, connections } = await ask(
    ({ events }) => events({ url, events: { until: 4 } }),
    load,
    { transport }
  )
  expect(results).toEqual({ 200: 9 })
  expect(connections).toMatchObject({ opened: 1, lost: 0 })
})
