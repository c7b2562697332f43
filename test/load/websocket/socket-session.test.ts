import { describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { closed, hold, open } from '../../../src/load/load.ts'
import type { Iteration } from '../../../src/load/requests/journey.ts'
import { ask } from '../ask.ts'
import { listen } from '../server.ts'
import { echo, listenSockets } from './socket-server.ts'

const once = closed({ users: 1, iterations: 1, timeoutMs: 5_000 })

test('messages are answered, and each is measured as a request is', async () => {
  const { url } = await listenSockets(echo)
  const told: unknown[] = []
  const iteration: Iteration = async ({ n, socket, check }) => {
    const one = await socket({ url, route: 'open' })
    check('it is open', one.ok)
    const text = await one.ask(`hello ${n}`, { route: 'echo' })
    const json = await one.ask(JSON.stringify({ n }), { route: 'echo' })
    const bytes = await one.ask(Buffer.from([0, 255, n]), { route: 'echo' })
    told.push([text.body, json.json.n, [...bytes.bytes], bytes.isBinary, text.isBinary])
    check('it is closed', (await one.close()).ending === 'closed 1000')
  }
  const result = await ask(iteration, closed({ users: 2, iterations: 10 }))
  expect(result.faults).toEqual({})
  expect(told).toHaveLength(10)
  expect(told).toContainEqual(['hello 3', 3, [0, 255, 3], true, false])
  expect(result.results).toEqual({ 101: 40 })
  expect(result.routes.open!.results).toEqual({ 101: 10 })
  expect(result.routes.echo!.response.count).toBe(30)
  expect(result.checks).toEqual({
    'it is open': { passed: 10, failed: 0 },
    'it is closed': { passed: 10, failed: 0 }
  })
  const own = Object.fromEntries(Object.entries(result.own!).map(([name, { sum }]) => [name, sum]))
  expect(own).toMatchObject({
    sockets: 10,
    brokenSockets: 0,
    messagesSent: 30,
    messagesReceived: 30
  })
  expect(result.own!.messageGap!.count).toBe(20)
  expect(result.connections).toMatchObject({ opened: 10, lost: 0, protocol: 'WebSocket' })
})

test('an answer is the message that matches, whatever comes between', async () => {
  const { url } = await listenSockets((socket) => {
    socket.send('{"hello":true}')
    socket.on('message', (data: Buffer) => {
      const { id } = JSON.parse(`${data}`)
      socket.send('{"tick":1}')
      // The answers come in the reverse order of the questions.
      setTimeout(() => socket.send(JSON.stringify({ id })), id === 1 ? 20 : 0)
    })
  })
  let seen: unknown
  const iteration: Iteration = async ({ socket }) => {
    const one = await socket({ url })
    const questions = [1, 2].map((id) =>
      one.ask(JSON.stringify({ id }), { match: ({ json }) => json.id === id })
    )
    const answers = await Promise.all(questions)
    const kept = [await one.next(({ json }) => json.tick === 1), await one.next()]
    seen = { answers: answers.map(({ json }) => json.id), kept: kept.map(({ json }) => json) }
  }
  expect((await ask(iteration, once)).faults).toEqual({})
  expect(seen).toEqual({ answers: [1, 2], kept: [{ tick: 1 }, { hello: true }] })
})

describe('how a socket ends is how what waited for it ends', () => {
  test.each<[string, (socket: WebSocket) => void, string]>([
    ['with a code', (socket) => socket.close(1_011, 'oh'), 'closed 1011'],
    ['with a code of its own', (socket) => socket.close(4_242), 'closed 4242'],
    ['with a code that says all is well', (socket) => socket.close(1_000), 'closed 1000'],
    ['without one', (socket) => socket.close(), 'closed'],
    ['without a word', (socket) => socket.terminate(), 'closed']
  ])('%s', async (_, end, ending) => {
    const { url } = await listenSockets((socket) => socket.on('message', () => end(socket)))
    let seen: unknown
    const iteration: Iteration = async ({ socket }) => {
      const one = await socket({ url })
      const answer = await one.ask('?')
      const again = await one.ask('?')
      seen = [answer.ok, again.ending, one.ended()?.ending]
    }
    const { results, faults, own } = await ask(iteration, once)
    expect({ results, faults }).toEqual({ results: { 101: 1, [ending]: 2 }, faults: {} })
    expect(seen).toEqual([false, ending, ending])
    expect(own!.brokenSockets!.sum).toBe(ending === 'closed 1000' ? 0 : 1)
  })

  test('with a reason', async () => {
    const { url } = await listenSockets((socket) => socket.close(3_000, 'später'))
    const ends: unknown[] = []
    const iteration: Iteration = async ({ socket }) => {
      const one = await socket({ url })
      await one.next()
      ends.push(one.ended())
    }
    await ask(iteration, once)
    expect(ends).toEqual([{ ending: 'closed 3000', code: 3_000, reason: 'später' }])
  })
})

test('no answer in time is a timeout, and a socket without a match ends with it', async () => {
  const { url } = await listenSockets((socket) =>
    socket.on('message', (data: Buffer) => `${data}` === 'late' || socket.send(data))
  )
  const seen: unknown[] = []
  const iteration: Iteration = async ({ socket }) => {
    const one = await socket({ url })
    const late = await one.ask('late', { match: ({ body }) => body === 'late' })
    const still = await one.ask('x')
    seen.push(late.ending, still.body, (await one.ask('late')).ending, one.ended()?.ending)
  }
  const { results } = await ask(iteration, closed({ users: 1, iterations: 1, timeoutMs: 60 }))
  expect(seen).toEqual(['timeout', 'x', 'timeout', 'timeout'])
  expect(results).toEqual({ 101: 2, timeout: 2 })
})

describe('a handshake that leads to no socket', () => {
  const answers: [string, string, Record<string, number>][] = [
    ['another status', 'HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n', { 403: 1 }],
    ['no HTTP', 'hello\r\n\r\n', { malformed: 1 }],
    [
      'a wrong key',
      'HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Accept: AAAA\r\n\r\n',
      { malformed: 1 }
    ],
    ['no upgrade', 'HTTP/1.1 101 x\r\nConnection: close\r\n\r\n', { malformed: 1 }],
    ['nothing', '', { timeout: 1 }]
  ]
  test.each(answers)('%s', async (_, response, results) => {
    const { url } = await listen((socket) => socket.write(response))
    let seen: unknown
    const iteration: Iteration = async ({ socket }) => {
      const one = await socket({ url: url.replace('http', 'ws') })
      seen = [one.ok, (await one.next()).ok, await one.close()]
    }
    const result = await ask(iteration, closed({ users: 1, iterations: 1, timeoutMs: 300 }))
    expect(result.results).toEqual(results)
    expect(result.faults).toEqual({})
    expect(seen).toEqual([false, false, expect.objectContaining({ code: undefined })])
    expect(result.own?.sockets).toBeUndefined()
  })

  test('nobody there', async () => {
    const { url, close } = await listen(() => {})
    await close()
    const iteration: Iteration = ({ socket }) => socket({ url: url.replace('http', 'ws') })
    const { results, connections } = await ask(iteration, once)
    expect(results).toEqual({ refused: 1 })
    expect(Object.keys(connections.causes)).toEqual([expect.stringMatching(/^connection refused/)])
  })
})

test('messages are packed where both agree, each by itself', async () => {
  const { url } = await listenSockets(echo, { perMessageDeflate: { threshold: 0 } })
  const text = 'ä'.repeat(50_000)
  const bodies: string[] = []
  const iteration: Iteration = async ({ socket }) => {
    const one = await socket({ url }, { compress: true })
    for (const message of [text, '', 'short', text]) bodies.push((await one.ask(message)).body)
  }
  const { bytes, faults } = await ask(iteration, once)
  expect(faults).toEqual({})
  expect(bodies).toEqual([text, '', 'short', text])
  expect(bytes.sent).toBeLessThan(2_000)
  expect(bytes.received).toBeLessThan(2_000)
})

test('a message is as large as is taken, and no larger; a bomb is one', async () => {
  const { url } = await listenSockets(
    (socket) => socket.on('message', (size: Buffer) => socket.send('x'.repeat(Number(`${size}`)))),
    { perMessageDeflate: { threshold: 0 } }
  )
  for (const compress of [false, true]) {
    const iteration: Iteration = async ({ socket }) => {
      const one = await socket({ url }, { compress, maxBytes: 100_000 })
      await one.ask('100000')
      await one.ask('100001')
    }
    expect((await ask(iteration, once)).results).toEqual({ 101: 2, oversized: 1 })
  }
  const bomb: Iteration = async ({ socket }) => {
    await (await socket({ url }, { compress: true })).ask(`${64 * 1_024 * 1_024}`)
  }
  expect((await ask(bomb, once)).results).toEqual({ 101: 1, oversized: 1 })
})

test('a server that pings is answered', async () => {
  const pongs: string[] = []
  const { url } = await listenSockets((socket) => {
    socket.on('pong', (data: Buffer) => {
      pongs.push(`${data}`)
      socket.send('done')
    })
    socket.ping('are you there')
  })
  await ask(async ({ socket }) => void (await (await socket({ url })).next()), once)
  expect(pongs).toEqual(['are you there'])
})

test('a subprotocol is asked for by its header, and none is taken that was not', async () => {
  const { url } = await listenSockets(echo, { handleProtocols: () => 'chat.2' })
  const headers = { 'Sec-WebSocket-Protocol': 'chat.1, chat.2' }
  const iteration: Iteration = async ({ socket }) => void (await socket({ url, headers }))
  expect((await ask(iteration, once)).results).toEqual({ 101: 1 })
})

test('arrivals at a rate open a socket each, and leave none open', async () => {
  const { url, server } = await listenSockets(echo)
  const iteration: Iteration = async ({ socket }) => void (await (await socket({ url })).ask('x'))
  const { results, unfinished } = await ask(iteration, open(hold({ rate: 100, seconds: 0.3 })))
  expect(results).toEqual({ 101: 60 })
  expect(unfinished).toBe(0)
  await expect.poll(() => server.clients.size).toBe(0)
})

test("faults are the author's: a match that throws, what is no socket's", async () => {
  const { url } = await listenSockets(echo)
  const iterations: [Iteration, string][] = [
    [
      async ({ socket }) => {
        const match = () => {
          throw new Error('mine')
        }
        await (await socket({ url })).ask('x', { match })
      },
      'mine'
    ],
    [({ socket }) => socket({ url: 'http://127.0.0.1:9/' }), 'is no ws: or wss: URL'],
    [({ send }) => send({ url }), 'a WebSocket is opened by socket']
  ]
  for (const [iteration, message] of iterations) {
    const { faults } = await ask(iteration, once)
    expect(Object.keys(faults)).toEqual([expect.stringContaining(message)])
  }
})
