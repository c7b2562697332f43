import { describe, expect, test } from 'vitest'
import { summary } from '../../../src/load/figures/summary.ts'
import { closed, hold, open } from '../../../src/load/load.ts'
import { judgeLoad } from '../../../src/verdict/judge-load.ts'
import { ask } from '../ask.ts'
import { answer, listen } from '../server.ts'
import { echo, listenSockets } from './socket-server.ts'

const twenty = closed({ users: 2, iterations: 20, timeoutMs: 5_000 })

test.each([1, 8])('messages over sockets that are kept open, %i at a time', async (pipelining) => {
  const { url, server } = await listenSockets(echo)
  let opened = 0
  server.on('connection', () => opened++)
  const load = closed({ connections: 2, pipelining, iterations: 500 })
  const result = await ask({ url, body: 'hello' }, load, {
    checks: { 'it is an echo': ({ body }) => body === 'hello' }
  })
  expect(result.results).toEqual({ 101: 500 })
  expect(result.checks).toEqual({ 'it is an echo': { passed: 500, failed: 0 } })
  expect(result.response.count).toBe(500)
  expect(result.bytes).toEqual({ sent: 500 * 11, received: 500 * 7 })
  expect([opened, result.connections.opened]).toEqual([2, 2])
  expect(result.connections).toMatchObject({ lost: 0, unsolicited: 0, protocol: 'WebSocket' })
  const counted = Object.entries(result.own!).map(([name, { sum }]) => [name, sum])
  expect(Object.fromEntries(counted)).toEqual({
    ...{ sockets: 2, brokenSockets: 0, messagesSent: 500, messagesReceived: 500 }
  })
})

test('when a load is over its sockets are closed, and not cut', async () => {
  const codes: number[] = []
  const { url } = await listenSockets((socket) => {
    echo(socket)
    socket.on('close', (code: number) => codes.push(code))
  })
  await ask({ url, body: 'x' }, twenty)
  await expect.poll(() => codes).toEqual([1_000, 1_000])
})

test('messages at a rate', async () => {
  const { url } = await listenSockets(echo)
  const load = { ...open(hold({ rate: 500, seconds: 0.2 })), connections: 5 }
  const { results, begun } = await ask(
    [
      { url, body: 'a' },
      { url, body: 'b' }
    ],
    load
  )
  expect([begun, results]).toEqual([100, { 101: 100 }])
})

test('only what matches answers', async () => {
  const { url } = await listenSockets((socket) => {
    socket.send('welcome')
    socket.on('message', (data: Buffer) => {
      socket.send('tick')
      socket.send(`re: ${data}`)
    })
  })
  const request = { url, body: 'x', answer: '^re: x$' }
  const { results, connections } = await ask(request, twenty)
  expect(results).toEqual({ 101: 20 })
  expect(connections.unsolicited).toBe(0)
})

describe('a socket that ends is opened again', () => {
  test('its messages end as it did', async () => {
    const { url } = await listenSockets((socket) => {
      let heard = 0
      socket.on('message', () => (++heard === 3 ? socket.close(1_011, 'full') : socket.send('x')))
    })
    const { results, connections, own } = await ask({ url, body: 'x' }, twenty)
    expect(results).toEqual({ 101: 14, 'closed 1011': 6 })
    expect(connections).toMatchObject({ lost: 6, ends: { 'close 1011 (full)': 6 } })
    expect(own!.sockets!.sum).toBe(connections.opened)
    expect([own!.brokenSockets!.sum, own!.messagesSent!.sum, own!.messagesReceived!.sum]).toEqual([
      ...[6, 20, 14]
    ])
  })

  test.each<[string, Buffer | undefined, string, string]>([
    ['without a goodbye', undefined, 'closed', 'an end without a close code'],
    ['with a masked frame', Buffer.from([0x81, 0x81]), 'malformed', 'malformed: a masked frame']
  ])('%s, which is told in words', async (_, bytes, ending, how) => {
    const { url, server } = await listenSockets(() => {})
    server.on('connection', (socket, { socket: raw }) => {
      socket.on('message', () => (bytes === undefined ? raw.end() : raw.write(bytes)))
    })
    const load = closed({ users: 1, iterations: 1, timeoutMs: 5_000 })
    const { results, connections } = await ask({ url, body: 'x' }, load)
    expect(results).toEqual({ [ending]: 1 })
    expect(connections.ends).toEqual({ [how]: 1 })
  })

  test('also when it is silent', async () => {
    const { url } = await listenSockets(() => {})
    const load = closed({ connections: 1, pipelining: 3, iterations: 3, timeoutMs: 100 })
    const { results } = await ask({ url, body: 'x' }, load)
    expect(results).toEqual({ timeout: 1, abandoned: 2 })
  })
})

test('where no socket is opened it is said why', async () => {
  const { url } = await listen(answer('HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n'))
  const load = closed({ users: 1, iterations: 2, timeoutMs: 300 })
  const { results, connections } = await ask({ url: url.replace('http', 'ws') }, load)
  expect(Object.keys(results)).toEqual(['refused'])
  expect(Object.keys(connections.causes)).toEqual([
    expect.stringMatching(/^no WebSocket at 127\.0\.0\.1:\d+: it answered 403, and not 101$/)
  ])
})

test('a handshake that is refused beside others that are not is told by its status', async () => {
  let opened = 0
  const { url } = await listenSockets(echo, {
    verifyClient: (_info, take) => (opened++ % 2 === 1 ? take(false, 400, 'no more') : take(true))
  })
  const load = closed({ connections: 2, iterations: 20, timeoutMs: 5_000 })
  const { results, connections } = await ask({ url, body: 'x' }, load)
  expect(results[101]).toBeGreaterThan(0)
  expect(Object.keys(connections.ends!)).toEqual(['handshake answered 400'])
})

test('what no transport can send is refused before anything is', async () => {
  const url = 'ws://127.0.0.1:9/'
  await expect(ask({ url }, twenty, { transport: 'undici' })).rejects.toThrow(/speaks no WebSocket/)
  const mixed = [{ url }, { url: 'http://127.0.0.1:9/' }]
  await expect(ask(mixed, twenty)).rejects.toThrow(/go in no list/)
})

test('a handshake whose head does not end is no HTTP/2 that is missing', async () => {
  const { url } = await listen((socket) => {
    const lines = 'X-More: 12345678901234567890\r\n'.repeat(4_000)
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines}`)
  })
  const load = closed({ users: 1, iterations: 1, timeoutMs: 2_000 })
  const { connections } = await ask({ url: url.replace('http', 'ws') }, load)
  expect(Object.keys(connections.causes)).toEqual([
    expect.stringMatching(/^no WebSocket at 127.*: its answer is no HTTP\/1\.1, or has a head of/)
  ])
})

test('messages that nobody waited for are counted, and fail nothing', async () => {
  const { url } = await listenSockets((socket) => {
    socket.on('message', () => {
      for (let n = 0; n < 10; n++) socket.send('x')
    })
  })
  const load = closed({ users: 1, iterations: 3, thinkMs: 50 })
  const result = await ask({ url, body: 'x' }, load)
  expect(result.connections.unsolicited).toBeGreaterThan(0)
  expect(summary(result)).toMatchObject({ requests: 3, errors: {}, timeouts: 0 })
  expect(judgeLoad({}, summary(result), { broken: [] })).toMatchObject({
    outcome: 'observed',
    observed: expect.stringContaining('0 % errors')
  })
})
