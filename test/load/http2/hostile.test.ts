import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { flags, frame, frames, settingsFrame, wordsFrame } from '../../../src/load/http2/frame.ts'
import { encodeFields } from '../../../src/load/http2/header-encoder.ts'
import { closed, hold, open } from '../../../src/load/load.ts'
import { ask } from '../ask.ts'
import { listenHttp2, type Peer, type PeerBehaviour, response } from './peer.ts'

const transport = 'http2'
const { endHeaders, endStream, ack } = flags
const ok = encodeFields([[':status', '200']])
const headers = (id: number, block: Buffer, flag: number) => frame(frames.headers, id, block, flag)
const many = (bytes: Buffer, times: number) => Buffer.concat(Array<Buffer>(times).fill(bytes))

/** Whoever floods goes on until nobody listens, as fast as it is read. */
function flood(peer: Peer, bytes: Buffer): void {
  const { socket } = peer
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
  }
  socket.on('drain', more)
  more()
}

/** A load on such a target: two requests on one connection, which has a fifth of a second. */
const asked = async (behaviour: PeerBehaviour) => {
  const { url, accepted } = await listenHttp2(behaviour)
  const load = closed({ connections: 1, pipelining: 2, iterations: 2, timeoutMs: 1_000 })
  const { results, connections } = await ask({ url }, load, { transport })
  return { results, ends: Object.keys(connections.ends ?? {}), accepted: accepted() }
}

describe('who floods is left, with few bytes taken in', () => {
  let before = 0
  beforeEach(() => {
    before = process.memoryUsage().arrayBuffers
  })
  afterEach(() => {
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1_024 * 1_024)
  })

  test.each<[string, Buffer]>([
    ['SETTINGS', settingsFrame({})],
    ['SETTINGS', frame(frames.settings, 0, Buffer.alloc(0), ack)],
    ['PING', frame(frames.ping, 0, Buffer.alloc(8))],
    ['PRIORITY', frame(frames.priority, 1, Buffer.alloc(5))],
    ['WINDOW_UPDATE', wordsFrame(frames.windowUpdate, 1, 1)],
    ['unknown', frame(0x42, 0, Buffer.alloc(0))],
    ['GOAWAY', wordsFrame(frames.goAway, 0, 2 ** 31 - 1, 0)]
  ])('by %s frames', async (name, bytes) => {
    const { results, ends } = await asked({
      onRequest: (peer, id) => void (id === 3 && flood(peer, many(bytes, 1_000)))
    })
    expect(results).toEqual({ malformed: 1, abandoned: 1 })
    expect(ends).toContain(`malformed: a flood of ${name} frames`)
  })

  test('of many GOAWAYs of a connection one is counted', async () => {
    const away = (error: number) => wordsFrame(frames.goAway, 0, 2 ** 31 - 1, error)
    const { url } = await listenHttp2({
      onRequest: (peer, id) =>
        peer.say(many(Buffer.concat([away(0), away(11), away(2)]), 20), response(id, 200))
    })
    const { connections } = await ask({ url }, closed({ connections: 1, iterations: 3 }), {
      transport
    })
    expect(connections.ends).toEqual({ 'GOAWAY (NO_ERROR)': 3, 'GOAWAY (ENHANCE_YOUR_CALM)': 3 })
  })

  test.each<[string, (id: number) => Buffer[], string]>([
    [
      'empty DATA frames',
      (id) => [headers(id, ok, endHeaders), many(frame(frames.data, id, Buffer.alloc(0)), 20_000)],
      'a flood of DATA frames'
    ],
    [
      'interim responses',
      (id) => [many(headers(id, encodeFields([[':status', '103']]), endHeaders), 20_000)],
      'a flood of HEADERS frames'
    ],
    [
      'empty CONTINUATION frames',
      (id) => [headers(id, ok, 0), many(frame(frames.continuation, id, Buffer.alloc(0)), 20_000)],
      'a flood of CONTINUATION frames'
    ],
    [
      'CONTINUATION frames without end',
      (id) => [
        headers(id, ok, 0),
        many(frame(frames.continuation, id, encodeFields([['a', 'b'.repeat(500)]])), 1_000)
      ],
      'headers of more than 65536 bytes'
    ],
    [
      'a small block that unpacks to a large one',
      (id) => {
        const entry = encodeFields([['x', 'y'.repeat(4_000)]])
        entry[0] = 0x40
        return [headers(id, Buffer.concat([ok, entry, Buffer.alloc(10_000, 0xbe)]), 5)]
      },
      'headers of more than 65536 bytes'
    ],
    [
      'a table that is changed again and again',
      (id) => [many(headers(id, Buffer.from([0x20, 0x3f, 0xe1, 0x1f]), 0), 1)],
      'another frame among those of a header block'
    ],
    ['a push', (id) => [frame(frames.pushPromise, id, ok)], 'a push, which nobody allowed'],
    [
      'windows that grow beyond all bounds',
      () => [many(wordsFrame(frames.windowUpdate, 0, 2 ** 31 - 1), 2)],
      'a window that is too wide'
    ],
    ['a window that grows by nothing', () => [wordsFrame(frames.windowUpdate, 0, 0)], 'by nothing'],
    ['a frame without end', (id) => [frame(frames.data, id, Buffer.alloc(70_000))], 'too large'],
    [
      'streams that nobody opened',
      () => [headers(99, ok, endHeaders | endStream)],
      'a frame of a stream that is not open'
    ],
    ['noise', () => [Buffer.alloc(100_000, 0xa5)], 'too large']
  ])('by %s', async (_, bytes, because) => {
    const { results, ends } = await asked({
      onRequest(peer, id) {
        if (id !== 3) return
        peer.say(...bytes(1), settingsFrame({}))
      }
    })
    expect(results).toEqual({ malformed: 1, abandoned: 1 })
    expect(ends.join()).toMatch(because)
  })
})

test.each<[string, Buffer]>([
  ['PING', frame(frames.ping, 0, Buffer.alloc(8))],
  ['SETTINGS', settingsFrame({})],
  ['unknown', frame(0x42, 0, Buffer.alloc(0))]
])('who floods by %s frames between its answers is left, too', async (name, bytes) => {
  const { url } = await listenHttp2({
    onRequest: (peer, id) => peer.say(many(bytes, 500), response(id, 200))
  })
  const load = closed({ connections: 1, iterations: 40 })
  const { results, connections } = await ask({ url }, load, { transport })
  expect(results.malformed).toBe(1)
  expect(Object.keys(connections.ends!)).toEqual([`malformed: a flood of ${name} frames`])
})

test('a few pings to each answer are honest, however many answers there are', async () => {
  const { url } = await listenHttp2({
    onRequest: (peer, id) =>
      peer.say(many(frame(frames.ping, 0, Buffer.alloc(8)), 5), response(id, 200))
  })
  const load = closed({ connections: 1, pipelining: 50, iterations: 3_000 })
  const { results } = await ask({ url }, load, { transport })
  expect(results).toEqual({ 200: 3_000 })
})

test('who asks and asks, and reads no answer, is left', async () => {
  const { results, ends } = await asked({
    onRequest(peer, id) {
      if (id !== 3) return
      peer.socket.pause()
      flood(peer, many(frame(frames.ping, 0, Buffer.alloc(8)), 100))
    }
  })
  expect(results).toEqual({ malformed: 1, abandoned: 1 })
  expect(ends.join()).toMatch('flood')
})

describe('who wants less is asked less', () => {
  /** Resets what `isRefused` says, answers the rest, and counts all that comes. */
  const refusing = async (isRefused: (nth: number) => boolean, error = 7) => {
    let asked = 0
    const { url } = await listenHttp2({
      onRequest: (peer, id) =>
        peer.say(isRefused(++asked) ? wordsFrame(frames.resetStream, id, error) : response(id, 200))
    })
    return { url, asked: () => asked }
  }

  test('a few refused among others are asked for at once, and told', async () => {
    const { url } = await refusing((nth) => nth % 2 === 0)
    const load = closed({ connections: 1, pipelining: 10, iterations: 500 })
    const { results, connections } = await ask({ url }, load, { transport })
    expect(results).toEqual({ rst_stream: 250, 200: 250 })
    expect(connections).toMatchObject({ opened: 1, ends: { 'RST_STREAM (REFUSED_STREAM)': 250 } })
  })

  test('who resets everything is asked less and less', async () => {
    const { url, asked } = await refusing(() => true, 11)
    const load = closed({ connections: 1, pipelining: 10, seconds: 0.3 })
    const { results, connections } = await ask({ url }, load, { transport })
    expect(results).toEqual({ rst_stream: asked() })
    expect(connections.ends).toEqual({ 'RST_STREAM (ENHANCE_YOUR_CALM)': asked() })
    expect(connections.opened).toBe(1)
    // A hundred, and ten after each rest, of which each is twice as long as the last.
    expect(asked()).toBeGreaterThanOrEqual(100)
    expect(asked()).toBeLessThan(200)
  })

  test('arrivals that wait for it meanwhile end as that, and are no timeouts', async () => {
    const { url, asked } = await refusing(() => true)
    const load = { ...open(hold({ rate: 1_000, seconds: 0.5 })), connections: 1, pipelining: 10 }
    const { results } = await ask({ url }, load, { transport })
    expect(results).toEqual({ rst_stream: 500 })
    expect(asked()).toBeLessThan(400)
  })

  test('it is asked as before once it answers again', async () => {
    const { url } = await refusing((nth) => nth <= 110)
    const load = closed({ connections: 1, pipelining: 10, iterations: 2_000 })
    const { results } = await ask({ url }, load, { transport })
    expect(results).toEqual({ rst_stream: 110, 200: 1_890 })
  })

  test('who asks for calm by GOAWAY is connected to less and less', async () => {
    const { url, accepted } = await listenHttp2({
      onRequest: (peer, id) => peer.say(response(id, 200), wordsFrame(frames.goAway, 0, id, 11))
    })
    const load = closed({ connections: 1, seconds: 0.3 })
    const { results, connections } = await ask({ url }, load, { transport })
    expect(Object.keys(results)).toEqual(['200'])
    expect(Object.keys(connections.ends!)).toEqual(['GOAWAY (ENHANCE_YOUR_CALM)'])
    expect(accepted()).toBeLessThan(12)
  })
})

describe('windows as games', () => {
  const post = async (behaviour: PeerBehaviour) => {
    const { url } = await listenHttp2(behaviour)
    const load = closed({ connections: 1, pipelining: 1, iterations: 1, timeoutMs: 150 })
    const request = { url, method: 'POST', body: 'x'.repeat(100_000) }
    return (await ask(request, load, { transport })).results
  }

  test('one that is shut: the request is a timeout', async () => {
    expect(await post({ greeting: { initialWindowSize: 0 } })).toEqual({ timeout: 1 })
  })

  test('one that opens a byte at a time: the request goes on, and is a timeout', async () => {
    let bytes = 0
    const results = await post({
      greeting: { initialWindowSize: 1 },
      onFrame(peer, type, id) {
        if (type !== frames.data) return
        bytes++
        peer.say(wordsFrame(frames.windowUpdate, id, 1))
      }
    })
    expect(results).toEqual({ timeout: 1 })
    expect(bytes).toBeGreaterThan(1)
  })

  test('one that shrinks while a body is on its way, and opens again', async () => {
    const results = await post({
      greeting: { initialWindowSize: 50_000 },
      onFrame(peer, type) {
        if (type !== frames.data) return
        peer.say(settingsFrame({ initialWindowSize: 10 }))
        peer.say(settingsFrame({ initialWindowSize: 200_000 }))
        peer.say(wordsFrame(frames.windowUpdate, 0, 100_000))
      },
      onRequest: (peer, id) => peer.say(response(id, 200))
    })
    expect(results).toEqual({ 200: 1 })
  })
})

test('no streams are allowed: what waits is a timeout, and the connection stays', async () => {
  const { results, accepted } = await asked({ greeting: { maxConcurrentStreams: 0 } })
  expect(results).toEqual({ timeout: 2 })
  expect(accepted).toBe(1)
})

test('fewer streams are allowed while some are open: those are answered, others wait', async () => {
  let most = 0
  let open = 0
  const { url } = await listenHttp2({
    onRequest(peer, id) {
      most = Math.max(most, ++open)
      if (id === 1) peer.say(settingsFrame({ maxConcurrentStreams: 1 }))
      setTimeout(() => {
        if (id > 20) most = Math.max(most, 100 + open)
        open--
        peer.say(response(id, 200))
      }, 3)
    }
  })
  const load = closed({ connections: 1, pipelining: 8, iterations: 30 })
  const { results } = await ask({ url }, load, { transport })
  expect(results).toEqual({ 200: 30 })
  expect(most).toBe(101)
})

test('a greeting that is none leads to no connection, and says why', async () => {
  for (const greeting of [Buffer.from('SSH-2.0-OpenSSH_9.2\r\n'), response(1, 200)]) {
    const { url } = await listenHttp2({ greeting })
    const load = closed({ connections: 1, seconds: 0.2, users: 1 })
    const { results, connections } = await ask({ url }, load, { transport })
    expect(Object.keys(results)).toEqual(['malformed'])
    expect(Object.keys(connections.causes).join()).toMatch(/^no HTTP\/2 at /)
  }
})
