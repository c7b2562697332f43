import { Server, ServerCredentials } from '@grpc/grpc-js'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { WebSocket } from 'ws'
import { createClient } from '../../src/client/client.ts'
import { createExchangeLog } from '../../src/client/exchange-log.ts'
import type { Precondition } from '../../src/engine/precondition.ts'
import { runLimit } from '../../src/engine/run-limit.ts'
import type { Context } from '../../src/scenario/context.ts'
import { limit } from '../../src/scenario/define.ts'
import {
  type StreamAsked,
  type StreamDimension,
  type StreamLimit,
  streamLimit
} from '../../src/scenario/stream-dimension.ts'
import { judgeLimit } from '../../src/verdict/judge-limit.ts'
import { answer, listen } from '../load/server.ts'
import { echo, listenSockets } from '../load/websocket/socket-server.ts'

type Steps = { repeats?: number; ceiling?: number }

/** What comes of a limit that a document states of the target at a URL. */
async function judged(
  url: string,
  [name, max, more = {}]: [StreamDimension, number, (Partial<StreamAsked & StreamLimit> & Steps)?]
) {
  const client = createClient({ endpoint: { url: url.replace(/^ws/, 'http') } })
  onTestFinished(client.close)
  const { path = '/', message, refusal, answer: said, seconds, ...own } = more
  const target = { of: ({ service }: Context) => service, path }
  const asked = { max, ...target, message, refusal, answer: said, seconds }
  const common = { title: 'A limit', clause: 'a.limit', needs: ['service'] }
  const scenario = limit({ ...common, ...streamLimit(name, asked), ...own })
  const { expectedReplies: expected } = scenario
  const ledger = createExchangeLog({ expected })
  const documented = { clause: 'a.limit', max, unit: scenario.unit, readings: [max] }
  const [finding] = await runLimit({
    ...{ scenario, limit: documented, ledger, stopped: () => false, onAsked() {} },
    context: { service: ledger.keep('service', client) } as unknown as Context,
    precondition: { vouch: async () => undefined } as unknown as Precondition
  })
  const { evidence } = finding!
  if (evidence.kind !== 'boundary') throw new Error(evidence.kind)
  return judgeLimit(evidence.limit, evidence.boundaries, `${max}`)
}

/** What one value of a dimension, 101, comes to. */
async function told(url: string, more: Partial<StreamAsked>, name: StreamDimension = 'message') {
  const client = createClient({ endpoint: { url: url.replace(/^ws/, 'http') } })
  onTestFinished(client.close)
  const { probe, variants } = streamLimit(name, { max: 100, of: () => client, path: '/', ...more })
  return probe(101, {} as Context, variants[0]!)
}

describe('message', () => {
  test.each<[number, string]>([
    [20_000, 'pass'],
    [20_001, 'fail'],
    [19_999, 'fail']
  ])('of at most %i bytes: %s where 20,000 are documented', async (maxPayload, outcome) => {
    const { url } = await listenSockets(echo, { maxPayload })
    expect((await judged(url, ['message', 20_000])).outcome).toBe(outcome)
  })

  test('that a target refuses in words, or by closing without any', async () => {
    const told = await listenSockets((socket) => {
      socket.on('message', (data: Buffer) =>
        socket.send(data.length > 100 ? '{"error":"too long"}' : '{"ok":true}')
      )
    })
    expect(await judged(told.url, ['message', 100, { refusal: /"error"/ }])).toMatchObject({
      outcome: 'pass',
      observed: expect.stringContaining('100 bytes accepted, 101 refused (it said {"error"')
    })
    expect((await judged(told.url, ['message', 100])).outcome).toBe('fail')
    const closing = await listenSockets((socket) => {
      socket.on('message', (data: Buffer) => data.length > 100 && socket.terminate())
    })
    expect((await judged(closing.url, ['message', 100])).outcome).toBe('pass')
  })

  test('that a target drops without a word has no answer, where every other has one', async () => {
    const { url } = await listenSockets((socket) => {
      socket.on('message', (data: Buffer) => data.length <= 100 && socket.send('got it'))
    })
    const answer = /got it/g
    expect(await judged(url, ['message', 100, { answer, repeats: 1 }])).toMatchObject({
      outcome: 'pass',
      observed: expect.stringContaining('100 bytes accepted, 101 refused (it without an answer')
    })
  })

  test('that is answered late is taken, and who never answers is not judged', async () => {
    const late = await listenSockets((socket) => {
      socket.on('message', (data: Buffer) =>
        setTimeout(() => socket.send(data), data.length > 100 ? 2_200 : 0)
      )
    })
    const mute = await listenSockets(() => {})
    const both = [late, mute].map(({ url }) => told(url, { answer: /x/ }))
    expect((await Promise.all(both)).map(({ kind }) => kind)).toEqual(['accepted', 'unclear'])
  })

  test('as the target wants it', async () => {
    const { url } = await listenSockets((socket) => {
      socket.on('message', (data: Buffer) => {
        const { text } = JSON.parse(`${data}`)
        if (text.length > 40) socket.close(1_008)
      })
    })
    const message = (bytes: number) => JSON.stringify({ text: 'x'.repeat(bytes) })
    expect((await judged(url, ['message', 40, { message }])).outcome).toBe('pass')
  })

  test('where no WebSocket is opened nothing is concluded', async () => {
    const { url } = await listen(answer('HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n'))
    const { outcome, because } = await judged(url, ['message', 100])
    expect([outcome, because]).toEqual(['inconclusive', expect.stringContaining('HTTP 400')])
  })
})

/** Takes so many messages of a socket, and then says no. */
const counting = (most: number) => (socket: WebSocket) => {
  let left = most
  socket.on('message', () => --left < 0 && socket.close(1_008, 'too many'))
}

test.each<[number, string]>([
  [20, 'pass'],
  [21, 'fail'],
  [19, 'fail']
])('messages: %i at once are %s where 20 are documented', async (most, outcome) => {
  const { url } = await listenSockets(counting(most))
  expect((await judged(url, ['messages', 20])).outcome).toBe(outcome)
})

test('messages that are not all answered are told in number', async () => {
  const { url } = await listenSockets((socket) => {
    let left = 90
    socket.on('message', (data: Buffer) => --left >= 0 && socket.send(data))
    socket.on('ping', () => {
      left = 1
    })
  })
  expect(await told(url, { answer: /x/ }, 'messages')).toMatchObject({
    kind: 'rejected',
    because: '11 of 101 without an answer, one behind has it'
  })
})

test.each<[number, string]>([
  [4, 'pass'],
  [5, 'fail'],
  [3, 'fail']
])('sockets: %i at a time are %s where 4 are documented', async (most, outcome) => {
  const open = new Set<WebSocket>()
  const { url } = await listenSockets(
    (socket) => {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
    },
    { verifyClient: () => open.size < most }
  )
  expect((await judged(url, ['sockets', 4, { repeats: 1 }])).outcome).toBe(outcome)
})

test.each<[number, string]>([
  [800, 'pass'],
  [200, 'fail']
])('socket-idle: an end after %i ms is %s where 800 are documented', async (ms, outcome) => {
  const { url } = await listenSockets((socket) => {
    let timer = setTimeout(() => socket.close(1_001), ms)
    socket.on('message', () => {
      clearTimeout(timer)
      timer = setTimeout(() => socket.close(1_001), ms)
    })
    socket.on('close', () => clearTimeout(timer))
  })
  const own = { repeats: 1, resolution: 500 }
  expect((await judged(url, ['socket-idle', 800, own])).outcome).toBe(outcome)
})

/** A bucket with a tenth of a second's worth in it, which regains so many a second. */
const bucket = (perSecond: number) => (socket: WebSocket) => {
  let [level, at] = [perSecond / 10, performance.now()]
  socket.on('message', () => {
    const now = performance.now()
    level = Math.min(perSecond / 10, level + ((now - at) * perSecond) / 1_000) - 1
    at = now
    if (level < 0) socket.close(1_008, 'slow down')
  })
}

test.each<[number, string]>([
  [40, 'pass'],
  [20, 'fail']
])('messages-per-second: %i are %s where 40 are documented', async (perSecond, outcome) => {
  const { url } = await listenSockets(bucket(perSecond))
  const own = { repeats: 1, ceiling: 1.5, seconds: 0.8, resolution: 60 }
  expect((await judged(url, ['messages-per-second', 40, own])).outcome).toBe(outcome)
})

test.each<[number, string]>([
  [30_000, 'pass'],
  [30_001, 'fail'],
  [29_999, 'fail']
])('rpc-message: at most %i bytes are %s where 30,000 are documented', async (most, outcome) => {
  const server = new Server({ 'grpc.max_receive_message_length': most })
  const bytes = (value: Buffer) => value
  const method = { path: '/demo.S/M', requestStream: false, responseStream: false } as const
  const serial = { requestSerialize: bytes, requestDeserialize: bytes }
  const answers = { responseSerialize: bytes, responseDeserialize: bytes }
  server.addService({ M: { ...method, ...serial, ...answers } } as never, {
    M: (_call: unknown, done: (error: null, reply: Buffer) => void) => done(null, Buffer.alloc(0))
  })
  const port = await new Promise<number>((resolve) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (_, at) => resolve(at))
  })
  onTestFinished(() => server.forceShutdown())
  const path = { path: '/demo.S/M' }
  const told = await judged(`http://127.0.0.1:${port}`, ['rpc-message', 30_000, path])
  expect(told.outcome).toBe(outcome)
})
