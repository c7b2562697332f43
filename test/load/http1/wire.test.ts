import { describe, expect, test } from 'vitest'
import { closed, hold as holdRate, type Load, open } from '../../../src/load/load.ts'
import type { Request } from '../../../src/load/requests/request.ts'
import { type AskOptions, ask as askBy } from '../ask.ts'
import { answer, type Behaviour, listen } from '../server.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'

const last = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi'

const twenty = closed({ users: 2, iterations: 20 })

// Both move bytes for the same connections; where there is no io_uring, the second is the first.
describe.each(['wire', 'uring'] as const)('%s', (transport) => {
  const ask = (request: Request | readonly Request[], load: Load, options: AskOptions = {}) =>
    askBy(request, load, { transport, ...options })

  describe('responses are told apart', () => {
    test.each<[string, string, string]>([
      ['with a length', ok, '200'],
      ['without a body', 'HTTP/1.1 204 No Content\r\n\r\n', '204'],
      [
        'not modified, saying how long it would be',
        'HTTP/1.1 304 \r\nContent-Length: 9\r\n\r\n',
        '304'
      ],
      [
        'in chunks',
        'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhi\r\n0\r\n\r\n',
        '200'
      ],
      [
        'in chunks with a trailer',
        'HTTP/1.1 404 No\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nh\r\n0\r\nETag: x\r\n\r\n',
        '404'
      ],
      [
        'after interim ones',
        `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${ok}`,
        '200'
      ]
    ])('%s', async (_, response, status) => {
      const { url, accepted } = await listen(answer(response))
      const { results, bytes, connections } = await ask({ url }, twenty)
      expect(results).toEqual({ [status]: 20 })
      expect(bytes.received).toBe(20 * response.length)
      expect(connections).toMatchObject({
        opened: 2,
        lost: 0,
        unsolicited: 0,
        protocol: 'HTTP/1.1'
      })
      expect(accepted()).toBe(2)
    })

    test.each([1, 2, 7, 16])('when %i are in flight on a connection', async (pipelining) => {
      const { url, accepted } = await listen(answer(ok))
      const load = closed({ connections: 2, pipelining, iterations: 1_000 })
      const { results, bytes } = await ask({ url }, load)
      expect(results).toEqual({ 200: 1_000 })
      expect(bytes.received).toBe(1_000 * ok.length)
      expect(accepted()).toBe(2)
    })

    test('to HEAD: the length is not of a body that comes', async () => {
      const { url } = await listen(answer('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n'))
      expect((await ask({ url, method: 'HEAD' }, twenty)).results).toEqual({ 200: 20 })
    })

    test('that end with their connection, each of which is made again', async () => {
      const { url, accepted } = await listen((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nbody'))
      const { results, connections } = await ask({ url }, twenty)
      expect(results).toEqual({ 200: 20 })
      expect(connections).toMatchObject({ protocol: 'HTTP/1.0', failed: {} })
      expect(accepted()).toBeGreaterThanOrEqual(20)
    })

    test('that come a byte at a time', async () => {
      const { url } = await listen(async (socket) => {
        for (const byte of ok) {
          socket.write(byte)
          await new Promise(setImmediate)
        }
      })
      expect((await ask({ url }, twenty)).results).toEqual({ 200: 20 })
    })
  })

  describe('servers that misbehave', () => {
    /** How long loads against servers that never get better last. */
    const short = closed({ users: 1, seconds: 0.3 })
    const hasty = closed({ users: 1, seconds: 0.3, timeoutMs: 100 })
    const hold: Behaviour = () => {}

    test('close after each response, and say so: nothing fails', async () => {
      const { url, accepted } = await listen((socket) =>
        socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi')
      )
      const { results } = await ask({ url }, twenty)
      expect(results).toEqual({ 200: 20 })
      expect(accepted()).toBeGreaterThanOrEqual(20)
    })

    test.each([
      ['each', 1],
      ['one in five', 5]
    ])(
      'say of %s response that it is the last: what was in flight behind it is sent again',
      async (_, most) => {
        const answered: string[] = []
        const { url } = await listen((socket, chunk) => {
          for (const asked of chunk.split(' HTTP/1.1\r\n').slice(0, -1)) {
            const left = most - Number(socket.listenerCount('answered'))
            if (left <= 0) return
            socket.on('answered', () => {})
            answered.push(asked.split('/').at(-1)!)
            if (left > 1) socket.write(ok)
            else socket.end(last)
          }
        })
        const requests = Array.from({ length: 40 }, (_, n) => ({
          url: `${url}${n}`,
          method: 'POST'
        }))
        const load = closed({ connections: 2, pipelining: 8, iterations: 40 })
        const { results, response } = await ask(requests, load)
        expect(results).toEqual({ 200: 40 })
        expect(response.count).toBe(40)
        // The target was asked for each of them as often as it was to be.
        expect(answered.map(Number).sort((one, other) => one - other)).toEqual(
          requests.map((_, n) => n)
        )
      }
    )

    test('close in the middle of what is in flight, and say nothing: that is told', async () => {
      const { url } = await listen((socket) => socket.end(ok))
      const load = closed({ connections: 1, pipelining: 4, iterations: 8 })
      const { results } = await ask({ url }, load)
      const { 200: answered = 0, closed: ended = 0, reset = 0, ...others } = results
      expect(others).toEqual({})
      expect(answered + ended + reset).toBe(8)
      expect(ended + reset).toBeGreaterThanOrEqual(3)
    })

    test('close after each response, and say nothing: what was sent in vain is told', async () => {
      const { url } = await listen((socket) => socket.end(ok))
      const { results, begun } = await ask({ url }, twenty)
      const { 200: answered = 0, closed = 0, reset = 0, ...others } = results
      expect(others).toEqual({})
      expect(answered + closed + reset).toBe(begun)
      expect(answered).toBeGreaterThanOrEqual(10)
    })

    test.each<[string, Behaviour, string]>([
      ['reset the connection', (socket) => socket.resetAndDestroy(), 'reset'],
      ['close the connection', (socket) => socket.destroy(), 'closed'],
      ['close it in the middle of the head', (socket) => socket.end(ok.slice(0, 20)), 'closed'],
      ['close it in the middle of the body', (socket) => socket.end(ok.slice(0, -1)), 'closed'],
      [
        'send what is no response',
        (socket) => socket.write('220 mail.example.com ESMTP\r\n'),
        'malformed'
      ],
      [
        'send a head without end',
        (socket) => socket.write(`HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}`),
        'malformed'
      ],
      ['switch protocols unasked', answer('HTTP/1.1 101 Switching Protocols\r\n\r\n'), 'malformed']
    ])('%s: counted so, and backed off', async (_, behave, ending) => {
      const { url, accepted } = await listen(behave)
      const { results, response } = await ask({ url }, short)
      expect(Object.keys(results)).toEqual([ending])
      expect(response.count).toBe(0)
      // 10, 20, 40, 80 and 160 ms between attempts leave room for seven of them at most.
      expect(accepted()).toBeLessThanOrEqual(8)
      expect(results[ending]).toBeLessThanOrEqual(8)
    })

    test('take their time to break the connection: it is kept, and is no latency', async () => {
      const { url } = await listen((socket) => void setTimeout(() => socket.resetAndDestroy(), 30))
      const load = closed({ connections: 1, pipelining: 4, iterations: 4 })
      const { results, response, failedUs } = await ask({ url }, load)
      expect({ results, latencies: response.count }).toEqual({
        results: { reset: 4 },
        latencies: 0
      })
      expect(failedUs).toBeGreaterThanOrEqual(4 * 29_000)
    })

    test.each<[string, Behaviour]>([
      ['never answer', hold],
      ['drip', (socket) => void socket.write('HTTP/1.1 200 OK\r\n')],
      ['drip a body', (socket) => void socket.write(ok.slice(0, -1))]
    ])('%s: each request is a timeout, as long as that took', async (_, behave) => {
      const { url } = await listen(behave)
      const { results, response, service } = await ask({ url }, hasty)
      expect(Object.keys(results)).toEqual(['timeout'])
      expect(response.count).toBe(results.timeout)
      expect(Math.min(response.minUs, service.minUs)).toBeGreaterThanOrEqual(100_000)
    })

    test('never answer: what was never sent waited, and has no service time', async () => {
      let heard = 0
      const { url } = await listen((_socket, chunk) => {
        heard += chunk.length
      })
      const load = closed({ users: 3, connections: 1, iterations: 3, timeoutMs: 100 })
      const { results, response, service, bytes } = await ask({ url }, load)
      expect(results).toEqual({ timeout: 3 })
      expect([response.count, service.count]).toEqual([3, 1])
      expect(bytes.sent).toBe(heard)
    })

    test('do not answer the first of several: the others are given up with it', async () => {
      const { url } = await listen(hold)
      const load = closed({ connections: 1, pipelining: 4, iterations: 4, timeoutMs: 50 })
      expect((await ask({ url }, load)).results).toEqual({ timeout: 1, abandoned: 3 })
    })

    test('half-close: end their side before they are asked', async () => {
      const { url, accepted } = await listen(hold, { greet: (socket) => socket.end() })
      const { results, begun } = await ask({ url }, { ...short, connections: 1 })
      expect(results).toEqual({ closed: begun })
      expect(accepted()).toBeLessThanOrEqual(8)
    })

    test('answer early: that counts, and the next request gets a new connection', async () => {
      const { url, accepted } = await listen((socket, _, before) => {
        if (before === 0) {
          socket.pause()
          socket.write('HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\n\r\n')
        }
      })
      const body = Buffer.alloc(8_000_000)
      const { results, bytes } = await ask(
        { url, method: 'POST', body },
        closed({ users: 1, iterations: 3 })
      )
      expect(results).toEqual({ 413: 3 })
      // What was dropped was not sent.
      expect(bytes.sent).toBeGreaterThan(0)
      expect(bytes.sent).toBeLessThan(3 * body.length)
      expect(accepted()).toBeGreaterThanOrEqual(3)
    })

    test('send two responses: the second answers nothing', async () => {
      const { url } = await listen(answer(ok + ok))
      const { results, connections } = await ask({ url }, twenty)
      expect(results).toEqual({ 200: 20 })
      expect(connections.unsolicited).toBeGreaterThanOrEqual(18)
    })

    test('are not there: one refusal for each attempt, and few of those', async () => {
      const { url, close } = await listen(hold)
      await close()
      const load = closed({ users: 4, seconds: 0.3 })
      const { results, response, connections, begun } = await ask({ url }, load)
      expect(results).toEqual({ refused: begun })
      expect(begun).toBeLessThanOrEqual(4 * 8)
      expect(connections.opened).toBe(0)
      expect(connections.failed.refused).toBeGreaterThanOrEqual(begun)
      expect(response.count).toBe(0)
    })

    test('are not there for arrivals either: each of them is refused in time', async () => {
      const { url, close } = await listen(hold)
      await close()
      const load = {
        ...open(holdRate({ rate: 500, seconds: 0.4 })),
        connections: 4,
        timeoutMs: 2_000
      }
      const { results, dropped, begun } = await ask({ url }, load)
      expect(results).toEqual({ refused: 200 })
      expect({ dropped, begun }).toEqual({ dropped: 0, begun: 200 })
    })
  })

  describe('TLS', () => {
    test('a certificate nobody vouches for is refused', async () => {
      const { url } = await listen(answer(ok), { secure: true })
      const { results } = await ask({ url }, closed({ users: 1, seconds: 0.1 }))
      expect(Object.keys(results)).toEqual(['tls'])
    })

    test('unless asked otherwise', async () => {
      const { url } = await listen(answer(ok), { secure: true })
      const { results, connections } = await ask({ url }, twenty, { verifyTls: false })
      expect(results).toEqual({ 200: 20 })
      expect(connections.opened).toBe(2)
    })

    test('a server without it', async () => {
      const { url } = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
      const { results } = await ask(
        { url: url.replace('http', 'https') },
        closed({ users: 1, seconds: 0.1 })
      )
      expect(Object.keys(results)).toEqual(['tls'])
    })
  })
})
