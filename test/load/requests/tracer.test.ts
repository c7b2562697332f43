import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createSample, type Sample } from '../../../src/load/figures/sample.ts'
import { closed } from '../../../src/load/load.ts'
import type { Iteration } from '../../../src/load/requests/journey.ts'
import { type Prepared, prepare, type Request } from '../../../src/load/requests/request.ts'
import { createTracer, mostTraced } from '../../../src/load/requests/tracer.ts'
import type { TransportName } from '../../../src/load/transports/transport.ts'
import { sendPart } from '../ask.ts'

const context = /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/
const request = { url: 'http://127.0.0.1:1/orders?key=secret', route: 'orders' }

/** Sends so many of one request by a tracer's way, and says what left. */
function sent(tracer: ReturnType<typeof createTracer>, count: number, one: Request = request) {
  const left: Prepared[] = []
  const send = (prepared: Prepared, _due: number, _token: number) => void left.push(prepared)
  const way = tracer.through({ send })
  const prepared = prepare(one, { route: 3, keeps: false })
  for (let token = 0; token < count; token++) way.send(prepared, 0, token)
  return { left, prepared, traced: left.filter((each) => each !== prepared) }
}

/** The end of the request with this token, after so many milliseconds. */
const ended = (token: number, ms: number, more: Partial<Sample> = {}): Sample => ({
  ...createSample(),
  ...{ token, status: 200, due: 0, sent: 1, first: ms, end: 1 + ms, bytesSent: 9, ...more }
})

test('about the share that was asked for is traced, the same for the same seed', () => {
  const [one, same, other] = [7, 7, 8].map((seed) => sent(createTracer(0.02, seed), 10_000))
  const places = ({ left, prepared }: typeof one & {}) =>
    left.flatMap((each, place) => (each === prepared ? [] : [place]))
  // 200 are expected; chance alone keeps it within 5 standard deviations (14 each).
  expect(one!.traced.length).toBeGreaterThan(130)
  expect(one!.traced.length).toBeLessThan(270)
  expect(places(one!)).toEqual(places(same!))
  expect(places(one!)).not.toEqual(places(other!))
  const ids = [one!, same!].flatMap(({ traced }) =>
    traced.map((each) => each.request.headers!.traceparent as string)
  )
  expect(ids.every((id) => context.test(id))).toBe(true)
  expect(new Set(ids).size).toBe(ids.length)
})

test('a traced request is the same but for its header', () => {
  const { traced } = sent(createTracer(1, 1), 1)
  const { bytes, route, keeps } = traced[0]!
  const lines = bytes.toString().split('\r\n')
  expect(lines.filter((line) => !line.startsWith('traceparent: 00-')).join('\r\n')).toBe(
    prepare(request, { route: 3, keeps: false }).bytes.toString()
  )
  expect({ route, keeps }).toEqual({ route: 3, keeps: false })
})

test('what has a context of its own, and messages over WebSockets, stay as they are', () => {
  const own = { ...request, headers: { Traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` } }
  const message = { url: 'ws://127.0.0.1:1/', body: 'hi' }
  for (const one of [own, message]) expect(sent(createTracer(1, 1), 9, one).traced).toEqual([])
})

test('the slowest are kept, slowest first, and of each what it was without its query', () => {
  const tracer = createTracer(1, 1)
  const count = 30 * mostTraced
  sent(tracer, count)
  // The order is none: 7919 is a prime.
  for (let token = 0; token < count; token++)
    tracer.end(ended(token, (token * 7_919) % count), true)
  const slowest = tracer.slowest()
  expect(slowest.map(({ sent, end }) => end - sent)).toEqual(
    Array.from({ length: mostTraced }, (_, place) => count - 1 - place)
  )
  expect(slowest[0]).toMatchObject({
    ...{ method: 'GET', url: 'http://127.0.0.1:1/orders', route: 'orders', status: 200 }
  })
  expect(JSON.stringify(slowest)).not.toContain('secret')
})

test('what is not measured, never left, or was not traced is forgotten', () => {
  const tracer = createTracer(1, 1)
  sent(tracer, 3)
  tracer.end(ended(0, 5), false)
  tracer.end(ended(1, 5, { bytesSent: 0, ending: 'timeout', status: 0 }), true)
  tracer.end(ended(77, 5), true)
  expect(tracer.slowest()).toEqual([])
  tracer.end(ended(2, 5), true)
  expect(tracer.slowest()).toHaveLength(1)
})

/** Serves on loopback, and keeps the headers of what it is asked. */
async function recording(isHttp2: boolean) {
  const heard: IncomingHttpHeaders[] = []
  const server: Server = isHttp2
    ? createHttp2Server((request, response) => {
        heard.push({ ...request.headers })
        response.end('ok')
      })
    : createServer((request, response) => {
        heard.push(request.headers)
        response.end('ok')
      })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, heard }
}

/** Sends 60 requests by that transport, half of them traced. */
async function loaded(transport: TransportName, url: string, isJourney: boolean) {
  const one = { url, method: 'POST', body: 'hello' }
  const journey: Iteration = async ({ send }) => void (await send(one))
  const load = closed({ users: 4, iterations: 60 })
  return sendPart(isJourney ? journey : [one], load, { transport, traced: 0.5 })
}

test.each([
  ['wire', false],
  ['wire', true],
  ['http2', false],
  ['undici', false]
] as const)('%s sends the context, journeys: %s', async (transport, isJourney) => {
  const { url, heard } = await recording(transport === 'http2')
  const { traced, tally } = await loaded(transport, url, isJourney)
  const got = heard.flatMap(({ traceparent }) => (traceparent === undefined ? [] : [traceparent]))
  expect(heard).toHaveLength(60)
  expect(got.length).toBeGreaterThan(10)
  expect(got.length).toBeLessThan(50)
  const told = traced!.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`)
  expect(told.toSorted()).toEqual(got.map(String).toSorted())
  expect(tally.results).toEqual({ 200: 60 })
})
