import { createServer as createHttp2Server, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { loadPackageDefinition, Server, ServerCredentials } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type RpcAnswer, type RpcOptions, rpcRequest } from '../../../src/load/grpc/call.ts'
import { messageFrame } from '../../../src/load/grpc/message-frames.ts'
import { type RpcMethod, readProto } from '../../../src/load/grpc/method.ts'
import { closed, hold, type Load, open } from '../../../src/load/load.ts'
import type { Iteration } from '../../../src/load/requests/journey.ts'
import { createPartSender } from '../../../src/load/sender.ts'
import { ask } from '../ask.ts'

const file = new URL('greeter.proto', import.meta.url)
const method = await readProto(file, 'demo.Greeter')
const [Hello, Count, Sum, Echo] = ['Hello', 'Count', 'Sum', 'Echo'].map(method) as [
  ...[RpcMethod, RpcMethod, RpcMethod, RpcMethod]
]

/** A server of grpc-js that greets; it ends with the test. */
async function greeter(): Promise<string> {
  const server = new Server()
  server.addService(loadPackageDefinition(loadSync(fileURLToPath(file))).demo.Greeter.service, {
    Hello({ request: { yourName, large, data }, metadata }, reply) {
      if (yourName === 'nobody') return reply({ code: 5, details: 'niemand da: ä' })
      if (yourName === 'strange') return reply({ code: 77, details: 'x' })
      if (yourName === 'slow') return void setTimeout(() => reply(null, {}), 2_000)
      const [mood = 'CALM'] = metadata.get('mood')
      reply(null, { text: `hello ${yourName}`, large, data, mood, words: ['a', 'b'] })
    },
    Count(call) {
      for (let n = 1; n <= call.request.times; n++) call.write({ text: `${n}` })
      if (call.request.yourName === 'breaks') call.emit('error', { code: 14, details: 'gone' })
      else call.end()
    },
    Sum(call, reply) {
      let sum = 0
      call.on('data', ({ times }: { times: number }) => {
        sum += times
      })
      call.on('end', () => reply(null, { text: `${sum}` }))
    },
    Echo(call) {
      call.on('data', ({ yourName }: { yourName: string }) => call.write({ text: yourName }))
      call.on('end', () => call.end())
    }
  })
  onTestFinished(() => server.forceShutdown())
  const insecure = ServerCredentials.createInsecure()
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', insecure, (cause, port) =>
      cause ? reject(cause) : resolve(`http://127.0.0.1:${port}`)
    )
  })
}

const once = closed({ users: 1, iterations: 1, timeoutMs: 5_000 })

/** What came of one call, and what the load counted. */
async function called(
  url: string,
  method: RpcMethod,
  messages: object | readonly object[],
  options: RpcOptions = {},
  load: Load = once
) {
  let answer: RpcAnswer | undefined
  const iteration: Iteration = async ({ rpc }) => {
    answer = await rpc(rpcRequest({ url: `${url}${method.path}` }, method, messages, options))
  }
  const result = await ask(iteration, load, { transport: 'http2' })
  const { results, faults, own, routes, connections } = result
  expect(faults).toEqual({})
  const ends = Object.keys(connections.ends ?? {})
  return { answer: answer!, results, own: own!, routes, ends }
}

describe('a server of grpc-js is called', () => {
  test('with one message, which is answered by one', async () => {
    const large = '9007199254740993'
    const asked = { yourName: 'ä', large, data: Buffer.from([0, 255]) }
    const { answer, results, routes } = await called(await greeter(), Hello, asked, {
      metadata: { mood: 'LOUD' }
    })
    expect(results).toEqual({ 200: 1 })
    expect(routes['demo.Greeter/Hello']!.results).toEqual({ 200: 1 })
    expect(answer).toMatchObject({ ending: 'answered', ok: true, status: 'OK', count: 1 })
    const { data, ...reply } = answer.reply
    expect(reply).toEqual({ text: 'hello ä', large, mood: 'LOUD', words: ['a', 'b'] })
    expect([...data]).toEqual([0, 255])
  })

  test('with one message, answered by many', async () => {
    const { answer, results, own } = await called(await greeter(), Count, { times: 2_500 })
    expect(results).toEqual({ 200: 1 })
    expect([answer.count, answer.replies.length]).toEqual([2_500, 1_000])
    expect(answer.replies.map(({ text }) => text).slice(0, 3)).toEqual(['1', '2', '3'])
    expect(own.messagesReceived!.sum).toBe(2_500)
    expect(own.messageGap!.count).toBe(2_499)
  })

  test('with many, answered by one', async () => {
    const many = [1, 2, 3].map((times) => ({ times }))
    const { answer } = await called(await greeter(), Sum, many)
    expect(answer.reply.text).toBe('6')
  })

  test('with many, answered by many, or with none', async () => {
    const url = await greeter()
    const many = ['a', 'b', 'c'].map((yourName) => ({ yourName }))
    const { answer } = await called(url, Echo, many)
    expect(answer.replies.map(({ text }) => text)).toEqual(['a', 'b', 'c'])
    const none = await called(url, Echo, [])
    expect(none.answer).toMatchObject({ ok: true, count: 0, reply: undefined })
  })

  test('at a rate, over connections that are shared', async () => {
    const load = { ...open(hold({ rate: 200, seconds: 0.5 })), connections: 2, pipelining: 50 }
    const { results } = await called(await greeter(), Hello, { yourName: 'x' }, {}, load)
    expect(results).toEqual({ 200: 100 })
  })
})

describe('statuses are endings', () => {
  test('with what the server says of them', async () => {
    const { answer, results, ends } = await called(await greeter(), Hello, { yourName: 'nobody' })
    expect(results).toEqual({ NOT_FOUND: 1 })
    expect(ends).toEqual(['NOT_FOUND (niemand da: ä)'])
    expect(answer).toMatchObject({ ok: false, status: 'NOT_FOUND', details: 'niemand da: ä' })
  })

  test('of a stream that breaks, after what came of it', async () => {
    const breaks = { yourName: 'breaks', times: 3 }
    const { answer, results } = await called(await greeter(), Count, breaks)
    expect(results).toEqual({ UNAVAILABLE: 1 })
    expect(answer).toMatchObject({ ok: false, count: 3, details: 'gone' })
  })

  test('of one that nobody knows', async () => {
    const { results } = await called(await greeter(), Hello, { yourName: 'strange' })
    expect(results).toEqual({ UNKNOWN: 1 })
  })

  test('of a deadline that the server keeps', async () => {
    const slow = { yourName: 'slow' }
    const { results } = await called(await greeter(), Hello, slow, { deadlineMs: 50 })
    expect(results).toEqual({ DEADLINE_EXCEEDED: 1 })
  })

  test('of a method that the server does not have', async () => {
    const missing = { ...Hello, path: '/demo.Greeter/Missing' }
    expect((await called(await greeter(), missing, {})).results).toEqual({ UNIMPLEMENTED: 1 })
  })
})

/** A server of HTTP/2 that answers so; it ends with the test. */
async function answering(behave: (stream: ServerHttp2Stream) => void): Promise<string> {
  const server = createHttp2Server()
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.on('error', () => {})
    behave(stream)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const head = { ':status': 200, 'content-type': 'application/grpc' }

/** Answers with these bytes, and with that status in its trailers. */
const withBytes =
  (bytes: Buffer, trailers: Record<string, string>) => (stream: ServerHttp2Stream) => {
    stream.respond(head, { waitForTrailers: true })
    stream.on('wantTrailers', () => stream.sendTrailers(trailers))
    stream.end(bytes)
  }

describe('what is no answer of gRPC is told as such', () => {
  const ok = { 'grpc-status': '0' }
  const one = messageFrame(Buffer.alloc(0))
  test.each<[string, (stream: ServerHttp2Stream) => void, string]>([
    ['no status', withBytes(one, { x: 'y' }), 'malformed: no grpc-status'],
    [
      'a status that is no number',
      withBytes(one, { 'grpc-status': 'fine' }),
      'malformed: no grpc-status'
    ],
    [
      'no message',
      withBytes(Buffer.alloc(0), ok),
      'malformed: 0 messages where there is to be one'
    ],
    [
      'two messages',
      withBytes(Buffer.concat([one, one]), ok),
      'malformed: 2 messages where there is to be one'
    ],
    [
      'half a message',
      withBytes(Buffer.from([0, 0, 0, 0, 9, 1]), ok),
      'malformed: an end within a message'
    ],
    [
      'a packed message',
      withBytes(Buffer.from([1, 0, 0, 0, 0]), ok),
      'malformed: a packed message, which was not asked for'
    ],
    [
      'a huge message',
      withBytes(Buffer.from([0, 255, 255, 255, 255]), ok),
      'oversized: a message of more than 4194304 bytes'
    ],
    [
      'bytes that are no such message',
      withBytes(messageFrame(Buffer.from([0xff])), ok),
      'malformed: a message that is none of the method'
    ],
    [
      'another type',
      (stream) => stream.respond({ ':status': 200 }, { endStream: true }),
      'malformed: its content-type is missing, not application/grpc'
    ],
    [
      'another type, with a body',
      (stream) => {
        stream.respond({ ':status': 200, 'content-type': 'text/html' })
        stream.end('<p>welcome')
      },
      'malformed: its content-type is text/html, not application/grpc'
    ],
    [
      'messages that are not of protobuf',
      (stream) => {
        stream.respond({ ...head, 'content-type': 'application/grpc+json' })
        stream.end(messageFrame(Buffer.from('{"text":"x"}')))
      },
      'malformed: its content-type is application/grpc+json, ' +
        'and not that of protobuf, which was asked for'
    ],
    [
      'another status of HTTP',
      (stream) => stream.respond({ ...head, ':status': 502 }, { endStream: true }),
      '502'
    ],
    [
      'a status without a body',
      (stream) => stream.respond({ ...head, 'grpc-status': '16' }, { endStream: true }),
      'UNAUTHENTICATED'
    ]
  ])('%s', async (_, behave, said) => {
    const { results, ends } = await called(await answering(behave), Hello, {})
    const [ending = '', because] = said.split(/: (.*)/s)
    expect(results).toEqual({ [ending]: 1 })
    expect(ends).toEqual(because === undefined ? [] : [said])
  })
})

test('an answer of what speaks no gRPC is told with its type', async () => {
  const page = { ':status': 404, 'content-type': 'text/html' }
  const url = await answering((stream) => void stream.respond(page, { endStream: true }))
  const { results, ends } = await called(url, Hello, {})
  expect(results).toEqual({ 404: 1 })
  expect(ends).toEqual(['HTTP 404: its content-type is text/html, not application/grpc'])
})

test.each([
  ['100%', '100%'],
  ['50%25 of %C3%A4%', '50% of ä%'],
  ['%zz and %41', '%zz and A'],
  ['%C3%', '\ufffd%'],
  ['%e4%bd%a0%0a', '你\n']
])('words of a status, "%s", are read as far as they can be', async (sent, details) => {
  const trailers = { 'grpc-status': '5', 'grpc-message': sent }
  const { answer } = await called(await answering(withBytes(Buffer.alloc(0), trailers)), Hello, {})
  expect(answer).toMatchObject({ status: 'NOT_FOUND', details })
})

test('a load may end while the messages of a call still come', async () => {
  let written = 0
  const url = await answering((stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' })
    const timer = setInterval(() => stream.write(messageFrame(Buffer.alloc(0)), () => written++), 2)
    stream.on('error', () => {}).on('close', () => clearInterval(timer))
  })
  const request = rpcRequest({ url: `${url}${Count.path}` }, Count, {})
  const sender = createPartSender({ index: 0, count: 1 })
  onTestFinished(sender.close)
  const shape = { connections: 1, pipelining: 1, timeoutMs: 60_000 }
  await sender.open([{ request: ({ rpc }) => rpc(request), transport: 'http2', ...shape }])
  const load = closed({ users: 1, iterations: 1, timeoutMs: 60_000 })
  const { unfinished, tally } = await sender.trial(0, { load, seed: 1, stopped: () => written > 3 })
  expect([unfinished, tally.own!.messagesReceived!.sum! > 0]).toEqual([1, true])
  const before = written
  await vi.waitFor(() => expect(written).toBeGreaterThan(before + 5))
})

test('messages that are none of a method are said', async () => {
  const base = { url: 'http://127.0.0.1:9/' }
  expect(() => rpcRequest(base, Hello, { times: 'many' })).toThrow(
    /^demo\.Greeter\.Hello\.times is a whole number from -2147483648 to 2147483647, and not "many"$/
  )
  expect(() => rpcRequest(base, Hello, { your_name: 'x' })).toThrow(
    /^demo\.Greeter\.Hello\.your_name is no field: there is yourName, times, large, data$/
  )
  expect(() => rpcRequest(base, Hello, [{}, {}])).toThrow(/takes one message, not 2/)
  await expect(readProto(file, 'demo.Nobody')).rejects.toThrow(/no such (Service|service)/)
  expect(() => method('Bye')).toThrow(
    'demo.Greeter has no method Bye: there is Hello, Count, Sum, Echo'
  )
})
