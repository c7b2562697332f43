import { describe, expect, test } from 'vitest'
import { Receiver as SecondReceiver } from 'ws'
import { clientFrame, closePayload, opcodes } from '../../../src/load/websocket/frame.ts'
import { deflate, inflate } from '../../../src/load/websocket/message-deflate.ts'
import { createReceiver } from '../../../src/load/websocket/receiver.ts'
import { random } from '../../../src/random.ts'

/** A frame as a server sends it, or as none may: `first` is its first byte. */
function frame(first: number, payload: Buffer | string = '', { masked = false } = {}): Buffer {
  const bytes = Buffer.from(payload)
  const { length } = bytes
  const mask = masked ? 0x80 : 0
  const head =
    length < 126
      ? Buffer.from([first, mask | length])
      : length < 65_536
        ? Buffer.from([first, mask | 126, length >> 8, length & 255])
        : Buffer.from([first, mask | 127, 0, 0, 0, 0, ...lengthBytes(length)])
  return Buffer.concat([head, ...(masked ? [Buffer.alloc(4)] : []), bytes])
}

const lengthBytes = (length: number) =>
  [24, 16, 8, 0].map((shift) => Math.floor(length / 2 ** shift) & 255)

type Heard = { heard: unknown[]; refusal: string | undefined }

/** What our receiver makes of these pieces of one stream. */
function read(
  pieces: readonly Buffer[],
  options: { packs?: boolean; maxBytes?: number; now?: () => number; says?: boolean } = {}
) {
  const heard: unknown[] = []
  const receiver = createReceiver({
    maxBytes: options.maxBytes ?? 100_000,
    now: options.now ?? (() => 0),
    ...(options.packs && { inflate }),
    ears: {
      onMessage: (bytes, isBinary) => heard.push([isBinary, bytes.toString('hex')]),
      onPing: (payload) => heard.push(['ping', payload.toString('hex')]),
      onPong: (payload) => heard.push(['pong', payload.toString('hex')]),
      onGoodbye: (code, reason) => heard.push(['goodbye', code, reason])
    }
  })
  let refusal: string | undefined
  let because: string | undefined
  for (const piece of pieces) {
    const refused = because === undefined ? receiver.take(piece, 0, piece.length) : undefined
    refusal ??= refused?.ending
    because ??= refused?.because
  }
  return { heard, refusal, ...(options.says && { because }) }
}

/** What the receiver of `ws` makes of the same. */
async function second(stream: Buffer): Promise<Heard> {
  const heard: unknown[] = []
  const receiver = new SecondReceiver({ isServer: false, maxPayload: 100_000 })
  let refusal: string | undefined
  receiver.on('message', (data: Buffer, isBinary: boolean) =>
    heard.push([isBinary, data.toString('hex')])
  )
  for (const name of ['ping', 'pong'])
    receiver.on(name, (data: Buffer) => heard.push([name, data.toString('hex')]))
  receiver.on('conclude', (code: number, reason: Buffer) =>
    heard.push(['goodbye', code === 1_005 ? undefined : code, `${reason}`])
  )
  receiver.on('error', (cause: NodeJS.ErrnoException) => {
    refusal =
      /LENGTH/.test(cause.code ?? '') && !/CONTROL/.test(cause.code ?? '')
        ? 'oversized'
        : 'malformed'
  })
  receiver.write(stream)
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
  return { heard, refusal }
}

const long = 'x'.repeat(200)

test('every cut of a stream gives the same messages', async () => {
  const stream = Buffer.concat([
    ...[frame(0x81, 'hi ä'), frame(0x82, Buffer.from([0, 255])), frame(0x89, 'p'), frame(0x8a)],
    ...[frame(0x01, 'fra'), frame(0x89, 'between'), frame(0x00, 'gmen'), frame(0x80, 'ts')],
    ...[frame(0x81, long), frame(0x81), frame(0x02), frame(0x80, 'end')],
    ...[frame(0x88, closePayload(1_001, 'away')), frame(0x81, 'nobody hears this')]
  ])
  const whole = read([stream])
  expect(whole.heard).toHaveLength(10)
  expect(whole).toEqual(await second(stream))
  for (let cut = 0; cut <= stream.length; cut++) {
    expect(read([stream.subarray(0, cut), stream.subarray(cut)])).toEqual(whole)
  }
  expect(read([...stream].map((byte) => Buffer.from([byte])))).toEqual(whole)
})

describe('what a server may not send is refused', () => {
  test.each<[string, Buffer]>([
    ['a masked frame', frame(0x81, 'hi', { masked: true })],
    ['a reserved bit', frame(0xa1, 'hi')],
    ['another reserved bit', frame(0x91, 'hi')],
    ['a packed message that was not agreed on', frame(0xc1, 'hi')],
    ['an unknown frame', frame(0x83, 'hi')],
    ['an unknown control frame', frame(0x8b, 'hi')],
    ['a ping in fragments', frame(0x09, 'hi')],
    ['a ping that is too long', frame(0x89, long)],
    ['a goodbye in fragments', frame(0x08)],
    ['a goodbye of one byte', frame(0x88, 'x')],
    ['a goodbye whose code is nobody’s', frame(0x88, closePayload(999))],
    ['a goodbye with a code that is never sent', frame(0x88, closePayload(1_006))],
    ['a goodbye with a code that is not given out', frame(0x88, closePayload(2_000))],
    ['a reason that is no UTF-8', frame(0x88, Buffer.from([3, 232, 0xff]))],
    ['text that is no UTF-8', frame(0x81, Buffer.from([0xc3, 0x28]))],
    ['a continuation of nothing', frame(0x80, 'x')],
    ['a message within another', Buffer.concat([frame(0x01, 'a'), frame(0x81, 'b')])],
    ['a length in more bytes than it takes', Buffer.from([0x82, 126, 0, 1, 0])],
    ['a length in many more', Buffer.from([0x82, 127, 0, 0, 0, 0, 0, 0, 0, 1, 0])]
  ])('%s', (_, bytes) => {
    expect(read([bytes])).toEqual({ heard: [], refusal: 'malformed' })
    expect(read([...bytes].map((byte) => Buffer.from([byte])))).toMatchObject({
      refusal: 'malformed'
    })
  })

  test('a code cut in the midst of a character is whole when the message is', () => {
    const euro = Buffer.from('€')
    const stream = [frame(0x01, euro.subarray(0, 1)), frame(0x80, euro.subarray(1))]
    expect(read(stream).heard).toEqual([[false, 'e282ac']])
  })
})

describe('memory is bounded', () => {
  test('by the head of a frame that says it is huge', () => {
    const head = Buffer.from([0x82, 127, 0x7f, 255, 255, 255, 255, 255, 255, 255])
    expect(read([head]).refusal).toBe('oversized')
  })

  test('by all fragments of a message, however small, without an end', () => {
    const fragments = Array.from({ length: 200 }, () => frame(0x00, 'x'))
    expect(read([frame(0x01, 'x'), ...fragments], { maxBytes: 150 }).refusal).toBe('oversized')
    const empty = Array.from({ length: 9_000 }, () => frame(0x00))
    expect(read([frame(0x01), ...empty, frame(0x80, 'x')]).heard).toEqual([[false, '78']])
  })

  test('by what a packed message unpacks to', () => {
    const packed = deflate(Buffer.alloc(1_000_000))
    expect(packed.length).toBeLessThan(2_000)
    expect(read([frame(0xc2, packed)], { packs: true }).refusal).toBe('oversized')
    expect(read([frame(0xc2, 'no deflate at all')], { packs: true }).refusal).toBe('malformed')
  })
})

/** A stream of frames by chance, some of which no server may send. */
function drawn(seed: number): { stream: Buffer; pieces: Buffer[] } {
  const chance = random(seed, 'frames')
  const below = (count: number) => Math.floor(chance() * count)
  let isOpen = false
  const frames = Array.from({ length: 1 + below(8) }, () => {
    const isOdd = chance() < 0.05
    const usual = below(5) === 0 ? [9, 10, 8][below(3)]! : isOpen ? 0 : 1 + below(2)
    const opcode = isOdd ? below(16) : usual
    const isLast = isOdd ? chance() < 0.5 : opcode >= 8 || chance() < 0.6
    if (opcode < 8) isOpen = !isLast
    const first = (isLast ? 0x80 : 0) | (chance() < 0.02 ? 0x20 : 0) | opcode
    const size = [0, 1, 2, 5, 125, 126, 200][below(opcode < 8 ? 7 : 5)]!
    const payload =
      opcode === 8 && chance() < 0.7
        ? closePayload([1_000, 1_001, 1_005, 3_000, 5_000][below(5)]!, 'x'.repeat(below(3)))
        : Buffer.from(Array.from({ length: size }, () => 32 + below(chance() < 0.01 ? 224 : 90)))
    return frame(first, payload, { masked: chance() < 0.02 })
  })
  const stream = Buffer.concat(frames)
  const pieces: Buffer[] = []
  for (let at = 0; at < stream.length; ) {
    const to = Math.min(stream.length, at + 1 + below(40))
    pieces.push(stream.subarray(at, to))
    at = to
  }
  return { stream, pieces }
}

test('500 streams by chance are read as ws reads them', async () => {
  let [messages, refused] = [0, 0]
  for (let seed = 1; seed <= 500; seed++) {
    const { stream, pieces } = drawn(seed)
    const ours = read(pieces)
    expect({ seed, ...ours }).toEqual({ seed, ...(await second(stream)) })
    messages += ours.heard.length
    refused += ours.refusal === undefined ? 0 : 1
  }
  expect(messages).toBeGreaterThan(300)
  expect(refused).toBeGreaterThan(100)
})

test.each([0, 1, 125, 126, 65_535, 65_536])('a frame of %i bytes is one to ws', async (size) => {
  const payload = Buffer.from(Array.from({ length: size }, (_, n) => n & 255))
  const receiver = new SecondReceiver({ isServer: true })
  const heard = new Promise<Buffer>((resolve, reject) =>
    receiver.on('message', resolve).on('error', reject)
  )
  receiver.write(clientFrame(opcodes.binary, payload))
  expect((await heard).equals(payload)).toBe(true)
})

test('no two frames have the same mask, but by chance', () => {
  const masks = Array.from({ length: 3_000 }, () =>
    clientFrame(opcodes.ping, Buffer.alloc(0)).toString('hex', 2, 6)
  )
  expect(new Set(masks).size).toBeGreaterThan(2_990)
})

describe('frames that bring nothing', () => {
  const [ping, pong] = [frame(0x89), frame(0x8a)]
  const empty = frame(0x00)
  const message = frame(0x81, 'hi')
  const many = (times: number, ...frames: Buffer[]) =>
    Buffer.concat(Array<Buffer>(times).fill(Buffer.concat(frames)))

  test.each<[string, Buffer]>([
    ['pings', many(11_000, ping)],
    ['pongs', many(11_000, pong)],
    ['empty fragments', many(1, frame(0x01), many(11_000, empty))],
    ['pings', many(200, message, many(64, ping))]
  ])('a flood of %s is refused, also among messages', (name, stream) => {
    const { refusal, because } = read([stream], { says: true })
    expect([refusal, because]).toEqual(['malformed', `a flood of ${name}`])
  })

  test('a few to each message are no flood, nor are many in many seconds', () => {
    expect(read([many(5_000, message, many(4, ping))]).refusal).toBeUndefined()
    let ms = 0
    const seconds = Array<Buffer>(5).fill(many(4_000, ping))
    expect(read(seconds, { now: () => (ms += 1_100) }).refusal).toBeUndefined()
  })
})
