import type { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { clock } from '../../src/clock.ts'
import { requestsIn } from '../../src/load/figures/metrics.ts'
import { type LoadResult, mergeShares } from '../../src/load/figures/result.ts'
import { createSample } from '../../src/load/figures/sample.ts'
import { summary } from '../../src/load/figures/summary.ts'
import { between, createLiveMemory, readLive } from '../../src/load/health/live-counters.ts'
import { closed, hold, type Load, open, poisson, warmUp } from '../../src/load/load.ts'
import type { Request } from '../../src/load/requests/request.ts'
import { createPartSender } from '../../src/load/sender.ts'
import { usefulWorkers } from '../../src/load/share.ts'
import { type MakeTransport, noConnections } from '../../src/load/transports/transport.ts'
import { transports as known } from '../../src/load/transports/transports.ts'
import { type AskOptions, ask, sendPart } from './ask.ts'
import { answer, listen } from './server.ts'

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'

/** Carries out a load with so many workers at once, all in this thread. */
async function together(load: Load, url: string, most: number): Promise<LoadResult> {
  const startAt = clock.now() + 100
  const count = usefulWorkers(load, most)
  const shares = Array.from({ length: count }, (_, index) =>
    sendPart({ url }, load, { share: { index, count }, startAt })
  )
  return mergeShares(await Promise.all(shares))
}

describe('one load, whoever shares it', () => {
  const loads: [string, Load, number][] = [
    ['even arrivals', open(hold({ rate: 501, seconds: 0.5 })), 251],
    ['arrivals by chance', open(...poisson(hold({ rate: 500, seconds: 0.5 }))), 250],
    ['shared iterations', closed({ users: 10, iterations: 1_001 }), 1_001],
    ['iterations of each user', closed({ users: 7, iterationsEach: 11 }), 77],
    ['more workers than users', closed({ users: 3, iterations: 100 }), 100]
  ]
  test.each(loads)('%s', async (name, load, count) => {
    const { url } = await listen(answer(ok))
    const alone = await together(load, url, 1)
    if (name !== 'arrivals by chance') expect(alone.begun).toBe(count)
    for (const workers of [2, 4]) {
      const result = await together(load, url, workers)
      expect(result.begun).toBe(alone.begun)
      expect(result.tally.results).toEqual({ 200: alone.begun })
      expect(result.tally.response.count).toBe(alone.begun)
      expect(result.tally.bytes).toEqual(alone.tally.bytes)
      expect(result.connections.opened).toBe(load.connections)
    }
  })

  test('what ends while the load is being ended has ended, and is not unfinished too', async () => {
    const held: { due: number; token: number }[] = []
    const make: MakeTransport = ({ now, onSample }) => ({
      ...{ async open() {}, flush() {}, close() {}, connections: noConnections },
      send(prepared, due, token) {
        if (held.push({ due, token }) < 3) return
        // As a ring does, which takes reports in between.
        answerAll = () => {
          for (const one of held.splice(0)) {
            const times = { sent: one.due, first: now(), end: now() }
            onSample({ ...createSample(), ...one, ...times, status: 200, route: prepared.route })
          }
        }
      }
    })
    let answerAll: (() => void) | undefined
    const stopped = () => {
      if (answerAll === undefined) return false
      queueMicrotask(answerAll)
      return true
    }
    const load = open(hold({ rate: 1_000, seconds: 60 }))
    const outside = { transports: { ...known, wire: async () => ({ make }) }, stopped }
    const request = { url: 'http://127.0.0.1:9/' }
    const asked = { ...outside, transport: 'wire' as const }
    const { begun, unfinished, tally } = await sendPart(request, load, asked)
    expect({ unfinished, ended: requestsIn(tally) }).toEqual({ unfinished: 0, ended: begun })
  })

  test('the order of the shares is of no account', async () => {
    const { url } = await listen(answer(ok))
    const load = closed({ users: 6, iterations: 60 })
    const shares = []
    for (const index of [0, 1, 2]) {
      const requests = [{ url, route: 'a' }, { url }]
      shares.push(await sendPart(requests, load, { share: { index, count: 3 } }))
    }
    const merged = mergeShares(shares)
    const { workers: _, health: __, ...turned } = mergeShares(shares.toReversed())
    expect(merged).toMatchObject(turned)
    expect(merged.tally.routes.a!.results).toEqual({ 200: 30 })
  })
})

test('requests are asked in turn, by the number of the iteration', async () => {
  const paths: string[] = []
  const { url } = await listen((socket, chunk) => {
    paths.push(chunk.split(' ')[1]!)
    socket.write(ok)
  })
  const requests = ['a', 'b', 'c'].map((path) => ({ url: `${url}${path}` }))
  await ask(requests, closed({ users: 1, iterations: 7 }))
  expect(paths.join('')).toBe('/a/b/c/a/b/c/a')
})

test('of what is warm-up, nothing is measured', async () => {
  const { url } = await listen(answer(ok))
  const load = open(...warmUp(hold({ rate: 200, seconds: 0.1 })), hold({ rate: 200, seconds: 0.1 }))
  const { begun, results, durationMs, response } = await ask({ url }, load)
  expect(begun).toBe(40)
  expect(results).toEqual({ 200: 20 })
  expect(response.count).toBe(20)
  expect(durationMs).toBeLessThan(200)
})

test('a load ends when it is asked to, with what it has', async () => {
  const { url } = await listen(answer(ok))
  let asked = 0
  const stopped = () => asked > 200
  const count = () => {
    asked++
    return ok
  }
  const { url: counting } = await listen((socket) => socket.write(count()))
  for (const load of [
    closed({ users: 1, seconds: 3_600 }),
    open(hold({ rate: 500, seconds: 3_600 }))
  ]) {
    asked = 0
    const result = await ask({ url: counting }, load, { stopped })
    expect(requestsIn(result)).toBeGreaterThan(0)
    expect(result.durationMs).toBeLessThan(60_000)
  }
  expect(
    (await ask({ url }, closed({ users: 1, seconds: 60 }), { stopped: () => true })).begun
  ).toBe(0)
})

test('others can see how it goes', async () => {
  const { url } = await listen(answer(ok))
  const live = createLiveMemory()
  const before = readLive([live], 0)
  await ask({ url }, closed({ users: 2, iterations: 50 }), { live: [live] })
  expect(between(before, readLive([live], 1))).toMatchObject({
    begun: 50,
    finished: 50,
    failed: 0,
    inFlight: 0
  })
})

test('connections are made before the start, and nothing is sent before it', async () => {
  let first = Infinity
  const { url, accepted } = await listen((socket) => {
    first = Math.min(first, clock.now())
    socket.write(ok)
  })
  const startAt = clock.now() + 200
  const running = ask({ url }, { ...closed({ users: 3, iterations: 3 }) }, { startAt })
  await clock.until(startAt - 50)
  expect(accepted()).toBe(3)
  await running
  expect(first).toBeGreaterThanOrEqual(startAt)
})

test('what cannot be sent is refused before anything is', async () => {
  const load = closed({ users: 1, iterations: 1 })
  const requests: Request[] = [
    { url: 'ftp://127.0.0.1/' },
    { url: 'http://127.0.0.1/', headers: { 'x y': '1' } },
    { url: 'http://127.0.0.1/', headers: { x: 'a\r\nb: c' } },
    { url: 'http://127.0.0.1/', method: 'CONNECT' }
  ]
  for (const request of requests) {
    await expect(ask(request, load)).rejects.toThrow(TypeError)
  }
})

describe('trials over connections that stay', () => {
  /** A sender with connections to a server, and trials over them. */
  async function senderTo(url: string, options: AskOptions = {}) {
    const { transport = 'wire', stopped = () => false } = options
    const sender = createPartSender({ index: 0, count: 1 }, options)
    const connecting = { transport, connections: 2, pipelining: 1, timeoutMs: 500 }
    await sender.open([{ ...connecting, request: { url } }])
    const ask = async (load: Load) => {
      const trial = { load, seed: 1, stopped }
      const result = mergeShares([await sender.trial(0, trial)])
      // Whatever its generator was held up by: of one that was, no latency is published.
      return { ...summary(result), timed: result.tally.response.count }
    }
    return { ask, close: sender.close }
  }

  const trials: [string, Load][] = [
    ['closed', { ...closed({ connections: 2, iterations: 20, seconds: 1 }) }],
    ['open', { ...open(hold({ rate: 200, seconds: 0.1 })), connections: 2 }]
  ]

  test.each(trials)('%s trials share the connections, and nothing else', async (_, load) => {
    const { url, accepted } = await listen(answer(ok))
    const { ask, close } = await senderTo(url)
    const found = [await ask(load), await ask(load), await ask(load)]
    close()
    expect(found.map(({ requests }) => requests)).toEqual([20, 20, 20])
    expect(found.map(({ statuses }) => statuses)).toEqual(Array(3).fill({ 200: 20 }))
    expect(accepted()).toBe(2)
    expect(found.map(({ timed }) => timed)).toEqual([20, 20, 20])
  })

  test('undici keeps its connections as well', async () => {
    const { url, accepted } = await listen(answer(ok))
    const { ask, close } = await senderTo(url, { transport: 'undici' })
    await ask(trials[0]![1])
    expect((await ask(trials[0]![1])).statuses).toEqual({ 200: 20 })
    close()
    expect(accepted()).toBe(2)
  })

  /** A server that keeps the first two requests until it is told to answer them. */
  async function keeper() {
    const kept: Socket[] = []
    const { url } = await listen((socket) => {
      if (kept.length === 2) socket.write(ok)
      else kept.push(socket)
    })
    const answerAll = () => {
      for (const socket of kept) socket.write(ok)
    }
    return { url, isFull: () => kept.length === 2, answerAll }
  }

  test('what one trial leaves unfinished is not counted in the next', async () => {
    const { url, isFull, answerAll } = await keeper()
    let isFirst = true
    const { ask, close } = await senderTo(url, { stopped: () => isFirst && isFull() })
    const first = await ask(closed({ connections: 2, seconds: 60 }))
    isFirst = false
    answerAll()
    const second = await ask(closed({ connections: 2, iterations: 10, seconds: 60 }))
    close()
    expect(first).toMatchObject({ requests: 0, unfinished: 2 })
    expect(second).toMatchObject({ requests: 10, begun: 10 })
  })

  test('an answer that comes when its trial is over is heard by nobody', async () => {
    const { url, isFull, answerAll } = await keeper()
    const { ask, close } = await senderTo(url, { stopped: isFull })
    expect(await ask(closed({ connections: 2, seconds: 60 }))).toMatchObject({ unfinished: 2 })
    answerAll()
    // Whatever an answer stumbled over would be an uncaught exception by then.
    await new Promise((resolve) => setTimeout(resolve, 100))
    close()
  })
})
