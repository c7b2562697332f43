import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { loadPackageDefinition, Server, ServerCredentials } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import { expect, onTestFinished, test } from 'vitest'
import { mergeShares } from '../../src/load/figures/result.ts'
import { rpcRequest } from '../../src/load/grpc/call.ts'
import { readProto } from '../../src/load/grpc/method.ts'
import { createLiveMemory, readLive } from '../../src/load/health/live-counters.ts'
import { closed } from '../../src/load/load.ts'
import { type AskOptions, sendPart } from './ask.ts'
import { expectPercentile } from './percentile.ts'
import { listenSockets } from './websocket/socket-server.ts'

const users = 8
const iterations = 400

/** How long the n-th request takes, in milliseconds: a few take ten times as long as most. */
const law = (n: number) => (n % 20 === 7 ? 300 + (n % 13) : 20 + ((n * 7) % 50) + n / 1_000)

/** Where a server leaves what it has to answer. */
type Hold = (answer: () => void) => void

/**
 * Time that stands still while anything is on its way, however long that takes: it goes on to the
 * next answer by the law when the server has all requests there are.
 */
function createStillTime() {
  const calls: { ms: number; call: () => void; isAnswer: boolean }[] = []
  const live = createLiveMemory()
  let [now, asked, held] = [0, 0, 0]
  const add = (ms: number, call: () => void, isAnswer: boolean) => {
    if (ms < Infinity) calls.push({ ms, call, isAnswer })
    calls.sort((one, other) => one.ms - other.ms)
  }
  const goOn = () => {
    for (let next = calls.shift(); next !== undefined; next = calls.shift()) {
      now = Math.max(now, next.ms)
      next.call()
      if (next.isAnswer) return look()
    }
  }
  /** Requests whose answer was measured. */
  const measured = () => readLive([live], 0).finished
  const look = () => {
    if (held === 0) return
    if (held === Math.min(users, iterations - measured())) setImmediate(goOn)
    // Nobody asks any more who would say that the last answer has arrived.
    else if (asked === iterations) setImmediate(look)
  }
  const at = (ms: number, call: () => void) => {
    if (ms <= now) setImmediate(call)
    else add(ms, call, false)
  }
  const after = (ms: number, call: () => void) => at(now + ms, call)
  const hold: Hold = (answer) => {
    held++
    const answered = () => {
      held--
      answer()
    }
    add(now + law(asked++), answered, true)
    look()
  }
  return {
    hold,
    /** What a load is asked with, that its time is this one. */
    outside: {
      live: [live],
      timeline: { now: () => now, at, wakeAt: at, after, wakingMs: () => 0 },
      clock: { now: () => now, until: (ms: number) => new Promise<void>((done) => at(ms, done)) }
    }
  }
}

type Asked = { request: Parameters<typeof sendPart>[0]; transport?: AskOptions['transport'] }

async function byHttp(hold: Hold): Promise<Asked> {
  const server = createServer((_, response) => hold(() => response.end('ok')))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return { request: { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` } }
}

async function byHttp2(hold: Hold): Promise<Asked> {
  const server = createHttp2Server((_, response) => hold(() => response.end('ok')))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return { request: { url: `http://127.0.0.1:${port}/` }, transport: 'http2' }
}

async function byWebSocket(hold: Hold): Promise<Asked> {
  const { url } = await listenSockets((socket) => {
    socket.on('message', (data: Buffer) => hold(() => socket.send(`${data}`)))
  })
  return { request: { url, body: 'hello' } }
}

async function byGrpc(hold: Hold): Promise<Asked> {
  const file = new URL('./grpc/greeter.proto', import.meta.url).pathname
  const server = new Server()
  const { demo } = loadPackageDefinition(loadSync(file)) as any
  server.addService(demo.Greeter.service, {
    Hello: (_: unknown, reply: (error: null, message: object) => void) =>
      hold(() => reply(null, { text: 'hello' }))
  })
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error ? reject(error) : resolve(port)
    )
  })
  onTestFinished(() => server.forceShutdown())
  const method = (await readProto(file, 'demo.Greeter'))('Hello')
  const base = { url: `http://127.0.0.1:${port}${method.path}` }
  const { rpc, ...call } = rpcRequest(base, method, { yourName: 'x' })
  return { request: { ...call, grpc: rpc.streams }, transport: 'http2' }
}

test.each([
  ['HTTP/1.1', byHttp],
  ['HTTP/2', byHttp2],
  ['WebSocket', byWebSocket],
  ['gRPC', byGrpc]
])('percentiles are those of the law that the server keeps, over %s', async (_, serve) => {
  const { hold, outside } = createStillTime()
  const { request, transport } = await serve(hold)
  const load = closed({ connections: users, iterations, timeoutMs: 60_000 })
  const share = await sendPart(request, load, { ...outside, transport })
  const { tally } = mergeShares([share])
  expect(tally.response.count).toBe(iterations)
  const times = Array.from({ length: iterations }, (_, n) => law(n))
  for (const percent of [50, 90, 95, 99, 100]) {
    expectPercentile(tally.service, percent, times)
    expectPercentile(tally.response, percent, times)
  }
})
