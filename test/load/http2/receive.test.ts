import { describe, expect, test } from 'vitest'
import {
  flags,
  frame,
  frames,
  preface,
  settingsFrame,
  wordsFrame
} from '../../../src/load/http2/frame.ts'
import { encodeFields } from '../../../src/load/http2/header-encoder.ts'
import { receive } from '../../../src/load/http2/receive.ts'
import { headFrames } from '../../../src/load/http2/request-frames.ts'
import { sendData } from '../../../src/load/http2/sending.ts'
import {
  createSession,
  type Http2Session,
  openStream,
  roomIn,
  type SessionEvents
} from '../../../src/load/http2/session.ts'
import { random } from '../../../src/random.ts'

const { endStream, endHeaders, padded, priority, ack } = flags
const fields = (...given: [string, string][]) => encodeFields([[':status', '200'], ...given])
const headers = (id: number, block: Buffer, flag: number) => frame(frames.headers, id, block, flag)
const data = (id: number, text: string, flag = 0) => frame(frames.data, id, Buffer.from(text), flag)

/** A session with streams 1, 3, 5 … open, and what it tells, a line for each event. */
function opened(count: number) {
  const told: string[] = []
  const tell = (id: number, what: string) => void told.push(`${id} ${what}`)
  const events: SessionEvents<{ body: string }> = {
    onReady: () => tell(0, 'ready'),
    onRoom: () => tell(0, 'room'),
    onHead: ({ id, head }) => tell(id, `head ${head!.status} ${head!.fields.join(' ')}`.trim()),
    onData({ work }, bytes, at, end) {
      work.body += bytes.toString('latin1', at, end)
    },
    onEnd: ({ id, work, trailers }) =>
      tell(id, `end "${work.body}"${trailers ? ` ${trailers.fields.join(' ')}` : ''}`),
    onReset: ({ id }, error) => tell(id, `reset ${error}`),
    onMalformed: ({ id }, because) => tell(id, `malformed ${because}`),
    onUnsent: ({ id }) => tell(id, 'unsent'),
    onGoAway: (error) => tell(0, `away ${error}`)
  }
  const session = createSession(events, { streams: 8, emptyWork: () => ({ body: '' }) })
  const say = (...bytes: Buffer[]) => {
    const all = Buffer.concat(bytes)
    return receive(session, all, all.length)
  }
  say(settingsFrame({}))
  const request = headFrames([[':method', 'GET']], true)
  for (let one = 0; one < count; one++)
    openStream(session, { head: request, isLast: true, bodiless: false })
  session.output.size = 0
  told.length = 0
  return { session, say, told }
}

const written = ({ output }: Http2Session<unknown>) => output.bytes.toString('hex', 0, output.size)

/** Three responses that come in all ways a response can, between frames about other things. */
const answers = [
  settingsFrame({ maxConcurrentStreams: 100 }),
  headers(
    3,
    encodeFields([
      [':status', '103'],
      ['link', 'x']
    ]),
    endHeaders
  ),
  headers(1, fields(['content-length', '5']), endHeaders),
  frame(frames.ping, 0, Buffer.from('12345678')),
  data(1, 'he'),
  frame(frames.headers, 3, fields(['a', 'b']).subarray(0, 3), 0),
  frame(frames.continuation, 3, fields(['a', 'b']).subarray(3, 4), 0),
  frame(frames.continuation, 3, fields(['a', 'b']).subarray(4), endHeaders),
  data(1, 'llo', endStream),
  wordsFrame(frames.windowUpdate, 0, 1_000),
  frame(frames.data, 3, Buffer.from('\x03xyz\0\0\0', 'latin1'), padded),
  frame(0x99, 0, Buffer.from('unknown')),
  headers(5, Buffer.concat([Buffer.from([2, 0, 0, 0, 0, 1]), fields(), Buffer.alloc(2)]), 0x2d),
  headers(3, encodeFields([['grpc-status', '0']]), endHeaders | endStream)
]
const ended = [
  '0 room',
  '1 head 200 content-length 5',
  '3 head 200 a b',
  '1 end "hello"',
  '5 head 200',
  '5 end ""',
  '3 end "xyz" grpc-status 0'
]

describe('responses mean the same', () => {
  const all = Buffer.concat(answers)

  test('whole', () => {
    const { session, say, told } = opened(3)
    expect(say(all)).toBe(true)
    expect(told).toEqual(ended)
    expect(session).toMatchObject({ active: 0, window: 65_535 + 1_000 })
    // What is asked of us is answered: its SETTINGS, its PING.
    expect(written(session)).toBe(`${'000000040100000000'}${'000008060100000000'}3132333435363738`)
  })

  test('cut at every byte', () => {
    for (let cut = 1; cut < all.length; cut++) {
      const { say, told } = opened(3)
      expect(say(all.subarray(0, cut)) && say(all.subarray(cut)), `cut at ${cut}`).toBe(true)
      expect(told, `cut at ${cut}`).toEqual(ended)
    }
  })

  test('a byte at a time', () => {
    const { say, told } = opened(3)
    for (const byte of all) say(Buffer.from([byte]))
    expect(told).toEqual(ended)
  })
})

describe('what breaks the rules ends the session, and says why', () => {
  const block = fields()
  test.each<[string, string, Buffer[]]>([
    ['PROTOCOL_ERROR', 'something before its SETTINGS', []],
    ['FRAME_SIZE_ERROR', 'a frame that is too large', [frame(0, 1, Buffer.alloc(16_385))]],
    ['PROTOCOL_ERROR', 'a push, which nobody allowed', [frame(frames.pushPromise, 1, block)]],
    [
      'PROTOCOL_ERROR',
      'another frame among those of a header block',
      [headers(1, block, 0), data(1, 'x')]
    ],
    ['PROTOCOL_ERROR', 'a CONTINUATION of nothing', [frame(frames.continuation, 1, block, 4)]],
    [
      'PROTOCOL_ERROR',
      'a CONTINUATION of nothing',
      [headers(1, block, 0), frame(frames.continuation, 3, block, 4)]
    ],
    ['PROTOCOL_ERROR', 'more padding than there is', [data(1, '\x05abc', padded)]],
    ['PROTOCOL_ERROR', 'more padding than there is', [headers(1, Buffer.from([9, 0]), padded | 4)]],
    [
      'PROTOCOL_ERROR',
      'more padding than there is',
      [headers(1, Buffer.from([9, 0]), priority | endHeaders)]
    ],
    ['COMPRESSION_ERROR', 'an index of no header field', [headers(1, Buffer.from([0x80]), 4)]],
    ['PROTOCOL_ERROR', 'SETTINGS of a stream', [frame(frames.settings, 1, Buffer.alloc(0))]],
    ['FRAME_SIZE_ERROR', 'SETTINGS of a wrong size', [frame(frames.settings, 0, Buffer.alloc(5))]],
    [
      'PROTOCOL_ERROR',
      'SETTINGS of a wrong size',
      [frame(frames.settings, 0, Buffer.alloc(6), ack)]
    ],
    ['PROTOCOL_ERROR', 'a server that asks to be pushed to', [settingsFrame({ enablePush: 1 })]],
    ['PROTOCOL_ERROR', 'a frame size that is none', [settingsFrame({ maxFrameSize: 16_383 })]],
    [
      'FLOW_CONTROL_ERROR',
      'a window that is too wide',
      [settingsFrame({ initialWindowSize: 2 ** 31 })]
    ],
    [
      'FLOW_CONTROL_ERROR',
      'a window that is too wide',
      [wordsFrame(frames.windowUpdate, 0, 2 ** 31 - 1)]
    ],
    ['PROTOCOL_ERROR', 'a WINDOW_UPDATE by nothing', [wordsFrame(frames.windowUpdate, 0, 0)]],
    [
      'FRAME_SIZE_ERROR',
      'a WINDOW_UPDATE of a wrong size',
      [frame(frames.windowUpdate, 0, Buffer.alloc(3))]
    ],
    [
      'PROTOCOL_ERROR',
      'a frame of a stream that is not open',
      [wordsFrame(frames.windowUpdate, 9, 1)]
    ],
    ['PROTOCOL_ERROR', 'a frame of a stream that is not open', [data(9, 'x')]],
    ['PROTOCOL_ERROR', 'a frame of a stream that is not open', [headers(2, block, 4)]],
    ['PROTOCOL_ERROR', 'a RST_STREAM of no stream', [wordsFrame(frames.resetStream, 9, 0)]],
    [
      'FRAME_SIZE_ERROR',
      'a RST_STREAM of a wrong size',
      [frame(frames.resetStream, 1, Buffer.alloc(5))]
    ],
    ['PROTOCOL_ERROR', 'a PING of a stream', [frame(frames.ping, 1, Buffer.alloc(8))]],
    ['FRAME_SIZE_ERROR', 'a PING of a wrong size', [frame(frames.ping, 0, Buffer.alloc(7))]],
    ['PROTOCOL_ERROR', 'a GOAWAY of a stream', [frame(frames.goAway, 1, Buffer.alloc(8))]],
    ['FRAME_SIZE_ERROR', 'a GOAWAY of a wrong size', [frame(frames.goAway, 0, Buffer.alloc(7))]],
    [
      'PROTOCOL_ERROR',
      'a GOAWAY that takes streams back',
      [1, 1, 3].map((last) => wordsFrame(frames.goAway, 0, last, 0))
    ],
    ['PROTOCOL_ERROR', 'a PRIORITY of no stream', [frame(frames.priority, 0, Buffer.alloc(5))]]
  ])('%s: %s (%#)', (error, because, bytes) => {
    const { session, say } = opened(2)
    if (bytes.length === 0) {
      session.isReady = false
      bytes = [headers(1, block, 4)]
    }
    expect(say(...bytes)).toBe(false)
    expect(session.failure).toEqual({ error, because })
  })

  test('but not what ends a stream alone: it is reset, and the others go on', () => {
    const { session, say, told } = opened(4)
    const wrong = [
      data(1, 'x'),
      headers(3, encodeFields([['a', 'b']]), endHeaders),
      headers(5, fields(['content-length', '3']), endHeaders),
      data(5, 'four', endStream),
      headers(7, fields(), endHeaders),
      headers(7, fields(), endHeaders)
    ]
    expect(say(...wrong)).toBe(true)
    expect(told.filter((line) => !line.includes('head 200'))).toEqual([
      '1 malformed a body before its head',
      '3 malformed a head without :status',
      '5 malformed a body of another length than its head says',
      '7 malformed a second head'
    ])
    expect(session.active).toBe(0)
    const resets = [1, 3, 5, 7].map((id) => `00000403000000000${id}00000001`)
    expect(written(session)).toBe(resets.join(''))
    // What was on its way meanwhile is read, and is nobody's.
    expect(say(data(1, 'late', endStream))).toBe(true)
  })
})

describe('bodies keep to the windows of the peer', () => {
  const sent = ({ output }: Http2Session<unknown>) => {
    const sizes: string[] = []
    for (let at = 0; at < output.size; ) {
      const size = output.bytes.readUIntBE(at, 3)
      const [type, flag, id] = [output.bytes[at + 3], output.bytes[at + 4], output.bytes[at + 8]]
      if (type === frames.data) sizes.push(`${id}: ${size}${flag === endStream ? ' end' : ''}`)
      at += 9 + size
    }
    output.size = 0
    return sizes
  }
  const head = headFrames([[':method', 'POST']], false)
  const post = (session: Http2Session<{ body: string }>, bytes: number) => {
    const stream = openStream(session, { head: head, isLast: false, bodiless: false })
    sendData(session, stream, Buffer.alloc(bytes), true)
    return stream
  }

  test('as far as the connection lets them, a stream after the other', () => {
    const { session, say } = opened(0)
    post(session, 20_000)
    expect(sent(session)).toEqual(['1: 16384', '1: 3616 end'])
    post(session, 60_000)
    expect(sent(session)).toEqual(['3: 16384', '3: 16384', '3: 12767'])
    post(session, 10)
    expect(sent(session)).toEqual([])
    say(wordsFrame(frames.windowUpdate, 0, 20_000))
    expect(sent(session)).toEqual(['3: 14465 end', '5: 10 end'])
  })

  test('a stream has a window of its own, which SETTINGS change, also to less than nothing', () => {
    const { session, say } = opened(0)
    say(settingsFrame({ initialWindowSize: 100 }))
    const stream = post(session, 250)
    expect(sent(session)).toEqual(['1: 100'])
    say(settingsFrame({ initialWindowSize: 40 }))
    expect(stream.window).toBe(-60)
    say(wordsFrame(frames.windowUpdate, 1, 100))
    expect(sent(session)).toEqual(['1: 40'])
    say(settingsFrame({ initialWindowSize: 1_000 }))
    expect(sent(session)).toEqual(['1: 110 end'])
  })

  test('who answers before it was asked to the end is told to forget the rest', () => {
    const { session, say, told } = opened(0)
    post(session, 100_000)
    sent(session)
    say(headers(1, fields(), endHeaders | endStream))
    expect(told).toEqual(['1 head 200', '1 end ""'])
    expect(written(session)).toBe('00000403000000000100000008')
    expect(session).toMatchObject({ active: 0 })
    say(wordsFrame(frames.windowUpdate, 0, 100_000))
    expect(written(session)).toBe('00000403000000000100000008')
  })
})

describe('the end of a connection', () => {
  test('GOAWAY gives back what it does not answer, and the rest goes on', () => {
    const { session, say, told } = opened(4)
    say(wordsFrame(frames.goAway, 0, 3, 0))
    expect(told).toEqual(['0 away NO_ERROR', '7 unsent', '5 unsent', '0 room'])
    expect(roomIn(session)).toBe(0)
    say(headers(1, fields(), 5), headers(3, fields(), 5))
    expect(session.active).toBe(0)
  })

  test('a stream is reset by its peer, by name or number', () => {
    const { say, told } = opened(2)
    say(wordsFrame(frames.resetStream, 1, 7), wordsFrame(frames.resetStream, 3, 99))
    expect(told).toEqual(['1 reset REFUSED_STREAM', '3 reset error 0x63'])
  })

  test('the greeting is a preface, SETTINGS and as much of a window as there is', () => {
    const events = {} as SessionEvents<undefined>
    const session = createSession(events, { streams: 1, emptyWork: () => undefined })
    const { output } = session
    expect(output.bytes.subarray(0, 24)).toEqual(preface)
    expect(output.bytes[24 + 3]).toBe(frames.settings)
  })
})

test('frames that bring nothing, without end, are a flood', () => {
  const { session, say } = opened(1)
  const flood = Buffer.concat(Array<Buffer>(10_001).fill(wordsFrame(frames.windowUpdate, 1, 1)))
  expect(say(flood)).toBe(false)
  expect(session.failure).toEqual({
    error: 'ENHANCE_YOUR_CALM',
    because: 'a flood of WINDOW_UPDATE frames'
  })
})

test('4,000 conversations with bytes changed by chance lose no stream', () => {
  const chance = random(22, 'frames')
  const below = (most: number) => Math.floor(chance() * most)
  const whole = Buffer.concat(answers)
  const wrong: number[] = []
  let [sound, failed] = [0, 0]
  for (let turn = 0; turn < 4_000; turn++) {
    const { session, say, told } = opened(3)
    const bytes = Buffer.from(whole)
    for (let change = below(4); change >= 0; change--) bytes[below(bytes.length)] = below(256)
    const cut = below(bytes.length)
    const isSound = say(bytes.subarray(0, cut)) && say(bytes.subarray(cut))
    const open = session.streams.filter(({ id }) => id > 0).length
    const over = told.filter((line) => /^\d (end|reset|malformed|unsent)/.test(line)).length
    const isKnown = isSound ? session.failure === undefined : session.failure !== undefined
    if (open !== session.active || over + open !== 3 || !isKnown) wrong.push(turn)
    if (isSound) sound++
    else failed++
  }
  expect(wrong).toEqual([])
  expect(Math.min(sound, failed)).toBeGreaterThan(200)
})
