import { createParser } from 'eventsource-parser'
import { describe, expect, test } from 'vitest'
import {
  createEventParser,
  type EventsTaken,
  type ServerEvent
} from '../../../src/load/events/event-parser.ts'
import { random } from '../../../src/random.ts'

type Read = { events: ServerEvent[]; retries: number[]; said: EventsTaken }

/** What our parser makes of these pieces of one stream. */
function read(pieces: readonly (string | Buffer)[], options: { maxBytes?: number } = {}): Read {
  const [events, retries]: [ServerEvent[], number[]] = [[], []]
  const parser = createEventParser({
    ...options,
    onEvent: (event) => events.push(event) > 0,
    onRetry: (ms) => void retries.push(ms)
  })
  let said: EventsTaken = 'more'
  for (const piece of pieces) said = parser.take(Buffer.from(piece))
  return { events, retries, said }
}

/**
 * What `eventsource-parser` makes of the same. It forgets an id that stands in an event without
 * data, which browsers keep: where it tells none, ours is taken.
 */
function second(stream: Buffer, ours: Read): Pick<Read, 'events' | 'retries'> {
  const [events, retries]: [ServerEvent[], number[]] = [[], []]
  const parser = createParser({
    onEvent({ event = 'message', data, id = ours.events[events.length]?.id ?? '' }) {
      events.push({ type: event, data, id })
    },
    onRetry: (ms) => void retries.push(ms)
  })
  // It waits for what follows a CR.
  parser.feed(`${new TextDecoder().decode(stream)}:\n`)
  return { events, retries }
}

const message = (data: string, id = '', type = 'message') => ({ type, data, id })

describe('a stream is read as the standard has it', () => {
  test.each<[string, string, ServerEvent[]]>([
    ['one event', 'data: hi\n\n', [message('hi')]],
    ['data on several lines', 'data: a\ndata\ndata:b\n\n', [message('a\n\nb')]],
    ['one space after the colon, and no more', 'data:  a\n\n', [message(' a')]],
    ['no space', 'data:a:b\n\n', [message('a:b')]],
    [
      'a type, for one event',
      'event: t\ndata: 1\n\ndata: 2\n\n',
      [message('1', '', 't'), message('2')]
    ],
    [
      'an id, from then on',
      'id: 7\ndata: 1\n\ndata: 2\n\nid\ndata: 3\n\n',
      [message('1', '7'), message('2', '7'), message('3')]
    ],
    ['an id of an event that is none', 'id: 7\n\ndata: 1\n\n', [message('1', '7')]],
    ['an id with NUL, which is none', 'id: 7\nid: a\0b\ndata: 1\n\n', [message('1', '7')]],
    ['a type without data', 'event: t\n\ndata: 1\n\n', [message('1')]],
    ['empty data', 'data\n\ndata:\n\n', [message(''), message('')]],
    ['comments and fields nobody knows', ': a\nfoo: b\nDATA: c\ndata: 1\n\n', [message('1')]],
    [
      'all ends of lines',
      'data: 1\r\rdata: 2\r\n\r\ndata: 3\n\n',
      [message('1'), message('2'), message('3')]
    ],
    ['a byte order mark, once', '\uFEFFdata: 1\n\n\uFEFFdata: 2\n\n', [message('1')]],
    ['what ends in the midst of an event', 'data: 1\n\ndata: 2\n', [message('1')]],
    ['more than ASCII', 'data: ä🙂\n\n', [message('ä🙂')]]
  ])('%s', (_, stream, events) => {
    expect(read([stream]).events).toEqual(events)
  })

  test('bytes that are no UTF-8 become replacement characters', () => {
    const stream = Buffer.from([...Buffer.from('data: a'), 0xe2, 0x82, 10, 10])
    expect(read([stream]).events).toEqual([message('a\uFFFD')])
  })

  test('retry takes digits only', () => {
    expect(read(['retry: 10\nretry: 1x\nretry: -1\nretry:\nretry:20\n']).retries).toEqual([10, 20])
  })
})

const rich =
  '\uFEFFretry: 250\r\n: comment\r\nid: 1\r\nevent: price\rdata: ä\rdata:🙂\n\r\ndata: 2\r\n\r\n' +
  'id\ndata\ndata:: x\n\n:\n\ndata: [DONE]\n\n'

test('every cut of a stream gives the same events', () => {
  const bytes = Buffer.from(rich)
  const whole = read([bytes])
  expect(whole.events.map(({ data }) => data)).toEqual(['ä\n🙂', '2', '\n: x', '[DONE]'])
  expect(whole).toMatchObject(second(bytes, whole))
  for (let cut = 0; cut <= bytes.length; cut++) {
    expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole)
  }
  expect(read([...bytes].map((byte) => Buffer.from([byte])))).toEqual(whole)
})

/** A stream made by chance of what streams are made of, and of what they are not. */
function drawn(seed: number): { stream: Buffer; pieces: Buffer[] } {
  const chance = random(seed, 'event stream')
  const pick = <Value>(values: readonly Value[]) => values[Math.floor(chance() * values.length)]!
  const parts = [
    ...['data', 'data:', 'data: ', 'id: ', 'id:', 'event: ', 'event:', 'retry: ', ':', ': '],
    ...['a', '7', '42', ' ', 'ä', '🙂', '\uFEFF', 'x:y', '[DONE]', '\t', 'data', 'DATA: '],
    ...['data: 1\n\n', 'data: 2\r', 'id: 9\n', 'event: t\r\n'],
    ...['\n', '\r', '\r\n', '\n\n', '\r\r', '\r\n\r\n', '\n', '\n\n']
  ]
  const length = 1 + Math.floor(chance() * 60)
  const stream = Buffer.from(Array.from({ length }, () => pick(parts)).join(''))
  const pieces: Buffer[] = []
  for (let at = 0; at < stream.length; ) {
    const to = Math.min(stream.length, at + 1 + Math.floor(chance() * 7))
    pieces.push(stream.subarray(at, to))
    at = to
  }
  return { stream, pieces }
}

test('1,000 streams by chance are read as eventsource-parser reads them', () => {
  let events = 0
  for (let seed = 1; seed <= 1_000; seed++) {
    const { stream, pieces } = drawn(seed)
    const ours = read(pieces)
    expect({ seed, events: ours.events, retries: ours.retries }).toEqual({
      seed,
      ...second(stream, ours)
    })
    events += ours.events.length
  }
  expect(events).toBeGreaterThan(1_000)
})

describe('memory is bounded', () => {
  test.each([
    ['a line', ['data: ', 'x'.repeat(90), 'x'.repeat(90)]],
    ['a comment', [':', 'x'.repeat(200)]],
    ['data on many lines', ['data: 12345\n'.repeat(20)]]
  ])('%s that does not end is refused', (_, pieces) => {
    expect(read(pieces, { maxBytes: 100 })).toMatchObject({ events: [], said: 'oversized' })
  })

  test('a stream of any length is not, while each event is small', () => {
    const pieces = Array.from({ length: 1_000 }, () => 'id: 1\ndata: hello\n: ping\n\n')
    const { events, said } = read(pieces, { maxBytes: 20 })
    expect([events.length, said]).toEqual([1_000, 'more'])
  })
})

test('who has enough hears of no further event', () => {
  const heard: string[] = []
  const parser = createEventParser({ onEvent: ({ data }) => heard.push(data) < 2 })
  expect(parser.take(Buffer.from('data: 1\n\ndata: 2\n\ndata: 3\n\n'))).toBe('enough')
  expect(parser.take(Buffer.from('data: 4\n\n'))).toBe('enough')
  expect(heard).toEqual(['1', '2'])
})
