import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  advance,
  createParser,
  createResponseHeadCache,
  endsWithConnection,
  expectResponse,
  maxHeadBytes
} from '../../../src/load/http1/parser.ts'
import { readWithNode } from '../node-parser.ts'

/** What a response was understood as, from as many of its bytes as belong to it. */
type Read = {
  end: 'complete' | 'with the connection' | 'missing' | 'malformed'
  status: number
  body: string
  keepAlive: boolean
  bytes: number
}

/** Reads a response that arrives in pieces cut at the given places. */
function read(
  response: string,
  cuts: readonly number[] = [],
  { bodiless = false, keeps = true, headCache = createResponseHeadCache() } = {}
): Read {
  const parser = createParser(headCache)
  expectResponse(parser, { bodiless, keeps })
  const bytes = Buffer.from(response, 'latin1')
  const ends = [...cuts.filter((cut) => cut < bytes.length), bytes.length]
  let at = 0
  for (const end of ends.sort((one, other) => one - other)) {
    // Each piece lies alone in its memory, as it does in a buffer that is used again.
    const piece = Buffer.from(bytes.subarray(at, end))
    const taken = advance(parser, piece, 0, piece.length)
    at += taken
    if (taken < piece.length) break
  }
  const stopped = { nothing: 'complete', malformed: 'malformed' } as const
  const open = endsWithConnection(parser) ? 'with the connection' : 'missing'
  const { expects, status, keepAlive } = parser
  const end = expects === 'nothing' || expects === 'malformed' ? stopped[expects] : open
  const body = Buffer.concat(parser.body).toString('latin1')
  return { end, status, body, keepAlive, bytes: at }
}

const short = 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nh'
const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

const valid: [name: string, response: string, expected: Partial<Read>][] = [
  ['a length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi', { body: 'hi', keepAlive: true }],
  [
    'no length but zero',
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    { body: '', keepAlive: true }
  ],
  ['no reason', 'HTTP/1.1 404\r\nContent-Length: 0\r\n\r\n', { status: 404 }],
  ['an empty reason', 'HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n', { status: 404 }],
  ['any case, any blanks', 'HTTP/1.1 200 OK\r\ncOnTeNt-LeNgTh:\t 2 \t\r\n\r\nhi', { body: 'hi' }],
  ['an empty value', 'HTTP/1.1 200 OK\r\nX:\r\nContent-Length: 0\r\n\r\n', {}],
  [
    'bytes beyond ASCII',
    'HTTP/1.1 200 \xe9\r\nX: \xff\x80\r\nContent-Length: 1\r\n\r\n\xff',
    { body: '\xff' }
  ],
  [
    'chunks',
    `${chunked}2\r\nhi\r\nA\r\n0123456789\r\n0\r\n\r\n`,
    { body: 'hi0123456789', keepAlive: true }
  ],
  ['chunks with extensions', `${chunked}1;a="b c";d\r\nh\r\n000;e\r\n\r\n`, { body: 'h' }],
  [
    'chunks that look like responses',
    `${chunked}13\r\nHTTP/1.1 200 OK\r\n\r\n\r\n0\r\n\r\n`,
    { body: 'HTTP/1.1 200 OK\r\n\r\n' }
  ],
  ['trailers', `${chunked}1\r\nh\r\n0\r\nETag: x\r\n\r\n`, { body: 'h' }],
  [
    'two codings',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n',
    {}
  ],
  ['no content', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', { body: '', status: 204 }],
  [
    'not modified',
    'HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n',
    { status: 304 }
  ],
  [
    'interim responses',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 x\r\nLink: y\r\n\r\n${short}`,
    { status: 200, body: 'h', keepAlive: true }
  ],
  [
    'a length behind any number of zeros',
    `HTTP/1.1 200 OK\r\nContent-Length: ${'0'.repeat(40)}2\r\n\r\nhi`,
    { body: 'hi' }
  ],
  [
    'a length of nothing but zeros',
    `HTTP/1.1 200 OK\r\nContent-Length: ${'0'.repeat(40)}\r\n\r\n`,
    { body: '' }
  ],
  [
    'a size behind any number of zeros',
    `${chunked}${'0'.repeat(20)}1\r\nh\r\n0\r\n\r\n`,
    { body: 'h' }
  ],
  [
    'a folded line',
    'HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\t \r\nContent-Length: 2\r\n\r\nhi',
    { body: 'hi' }
  ],
  [
    'close',
    'HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 0\r\n\r\n',
    { keepAlive: false }
  ],
  [
    'close among others',
    'HTTP/1.1 200 OK\r\nConnection: keep-alive, close\r\nContent-Length: 0\r\n\r\n',
    { keepAlive: false }
  ],
  [
    'close before keep-alive',
    'HTTP/1.1 200 OK\r\nConnection: close\r\nConnection: keep-alive\r\nContent-Length: 0\r\n\r\n',
    { keepAlive: false }
  ],
  ['the old version', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n', { keepAlive: false }],
  [
    'the old version, kept alive',
    'HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n',
    { keepAlive: true }
  ],
  [
    'chunks of the old version',
    'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    { keepAlive: false }
  ]
]

const untilClose: [name: string, response: string, expected: Partial<Read>][] = [
  ['no length at all', 'HTTP/1.1 200 OK\r\n\r\nhello', { body: 'hello' }],
  ['no body either', 'HTTP/1.1 200 OK\r\n\r\n', { body: '' }],
  [
    'a coding that is not chunked',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n\x1f\x8b',
    { body: '\x1f\x8b' }
  ],
  [
    'a coding that only sounds like it',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    { body: '0\r\n\r\n' }
  ]
]

const malformed: [name: string, response: string][] = [
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['another version', 'HTTP/2.0 200 OK\r\n\r\n'],
  ['a lower-case protocol', 'http/1.1 200 OK\r\n\r\n'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n'],
  ['a status below 100', 'HTTP/1.1 099 OK\r\n\r\n'],
  ['two spaces', 'HTTP/1.1  200 OK\r\n\r\n'],
  ['an empty line first', '\r\nHTTP/1.1 200 OK\r\n\r\n'],
  ['lines that end in LF alone', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n'],
  ['a CR within a line', 'HTTP/1.1 200 OK\r\nX: a\rb\r\n\r\n'],
  ['a NUL', 'HTTP/1.1 200 OK\r\nX: \0\r\n\r\n'],
  ['a header without colon', 'HTTP/1.1 200 OK\r\nX\r\n\r\n'],
  ['a header without name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n'],
  ['a space before the colon', 'HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n'],
  ['a folded line before any other', 'HTTP/1.1 200 OK\r\n X: a\r\n\r\n'],
  ['a folded length', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n 1\r\n\r\nx'],
  ['a folded coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip,\r\n chunked\r\n\r\n0\r\n\r\n'],
  ['a folded close', 'HTTP/1.1 200 OK\r\nConnection: x,\r\n close\r\nContent-Length: 0\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx'],
  ['a list of lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1, 1\r\n\r\nx'],
  ['a length with a sign', 'HTTP/1.1 200 OK\r\nContent-Length: +1\r\n\r\nx'],
  ['a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n'],
  ['a length beyond all numbers', 'HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999\r\n\r\n'],
  [
    'length and coding',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n'
  ],
  [
    'coding and length',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 1\r\n\r\n'
  ],
  ['chunked before another coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n'],
  [
    'chunked twice',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n'
  ],
  ['another protocol to switch to', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
  ['an interim response with a body', 'HTTP/1.1 103 x\r\nContent-Length: 1\r\n\r\nx'],
  ['an interim response that is the last', 'HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\n'],
  ['a chunk extension that is none', `${chunked}1;a b\r\nh\r\n0\r\n\r\n`],
  ['a coding that is none', 'HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n\r\n'],
  ['a chunk size that is none', `${chunked}\r\n`],
  ['a chunk size with a sign', `${chunked}-1\r\n`],
  ['a chunk size with a prefix', `${chunked}0x1\r\nh\r\n`],
  ['a chunk size with a blank', `${chunked}1 \r\nh\r\n`],
  ['a chunk size beyond all numbers', `${chunked}fffffffffffff\r\n`],
  ['a chunk longer than it says', `${chunked}1\r\nhi\r\n`],
  ['a chunk that ends in LF alone', `${chunked}1\r\nh\n`],
  ['a length that comes too late', `${chunked}0\r\nContent-Length: 0\r\n\r\n`],
  ['a trailer that is none', `${chunked}0\r\nno trailer\r\n\r\n`]
]

describe('what is valid', () => {
  const all = [
    ...valid.map(([name, response, expected]) => ({ name, response, expected, end: 'complete' })),
    ...untilClose.map(([name, response, expected]) => ({
      name,
      response,
      expected,
      end: 'with the connection'
    }))
  ]
  test.each(all)('$name', ({ response, expected, end }) => {
    const whole = read(response)
    expect(whole).toMatchObject({ end, bytes: response.length, ...expected })
  })

  test.each(all)('$name, however it is cut', ({ response }) => {
    const whole = read(response)
    const everywhere = Array.from({ length: response.length }, (_, cut) => cut)
    expect(read(response, everywhere)).toEqual(whole)
    for (const cut of everywhere) expect(read(response, [cut])).toEqual(whole)
  })

  test.each(valid)('%s, with more behind it that is left alone', (_, response) => {
    expect(read(`${response}HTTP/1.1 500 `)).toMatchObject({
      end: 'complete',
      bytes: response.length
    })
  })

  test.each(all)('$name, whose head was seen before', ({ response }) => {
    const headCache = createResponseHeadCache()
    const first = read(response, [], { keeps: false, headCache })
    expect(first).toEqual({ ...read(response), body: '' })
    expect(read(response, [], { keeps: false, headCache })).toEqual(first)
    const everywhere = Array.from({ length: response.length }, (_, cut) => cut)
    expect(read(response, everywhere, { keeps: false, headCache })).toEqual(first)
  })

  test.each(valid)('%s, of which the last byte is missing', (_, response) => {
    expect(read(response.slice(0, -1)).end).toBe('missing')
  })

  test('an answer to HEAD ends with its head', () => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n'
    expect(read(`${head}HTTP/`, [], { bodiless: true })).toMatchObject({
      end: 'complete',
      bytes: head.length
    })
  })
})

describe('what is not', () => {
  test.each(malformed)('%s', (_, response) => {
    const everywhere = Array.from({ length: response.length }, (_, cut) => cut)
    expect(read(response).end).toBe('malformed')
    expect(read(response, everywhere).end).toBe('malformed')
  })
})

describe('limits', () => {
  const endless: [string, string, string][] = [
    ['a line', 'HTTP/1.1 200 ', 'x'],
    ['a head', 'HTTP/1.1 200 OK\r\n', 'X: y\r\n'],
    ['interim responses', '', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['a chunk extension', `${chunked}1;x=`, 'x'],
    ['trailers', `${chunked}0\r\n`, 'X: y\r\n']
  ]
  test.each(endless)('%s without end', (_, beginning, more) => {
    const response = beginning + more.repeat(Math.ceil((2 * maxHeadBytes) / more.length))
    const cuts = Array.from({ length: 100 }, (_, cut) => cut * 1_024)
    expect(read(response).end).toBe('malformed')
    const { end, bytes } = read(response, cuts)
    expect(end).toBe('malformed')
    expect(bytes).toBeLessThanOrEqual(2 * maxHeadBytes)
  })

  test('a body without end is none of them', () => {
    const parser = createParser()
    expectResponse(parser, { bodiless: false, keeps: false })
    const chunk = Buffer.from(`${'1000'}\r\n${'x'.repeat(4_096)}\r\n`)
    advance(parser, Buffer.from(chunked), 0, chunked.length)
    for (let n = 0; n < 10_000; n++) advance(parser, chunk, 0, chunk.length)
    expect(parser.expects).toBe('chunk size')
  })
})

test('a folded line goes on with the value before it', () => {
  const parser = createParser()
  expectResponse(parser, { bodiless: false, keeps: true })
  const bytes = Buffer.from('HTTP/1.1 200 OK\r\nX: a\r\n\t b\r\n \r\nContent-Length: 0\r\n\r\n')
  advance(parser, bytes, 0, bytes.length)
  expect(parser.headers).toEqual(['x', 'a b', 'content-length', '0'])
})

describe('in accord with the parser of Node', () => {
  const bit = fc.constantFrom(
    ...[
      'HTTP/1.1 ',
      'HTTP/1.0 ',
      '200',
      '204',
      '304',
      '100',
      '101',
      ' OK',
      '\r\n',
      '\r',
      '\n',
      ' ',
      '\t'
    ],
    ...[
      'Content-Length',
      'Transfer-Encoding',
      'Connection',
      ': ',
      ':',
      ',',
      ';',
      '0',
      '1',
      '5',
      'a',
      'ff'
    ],
    ...['chunked', 'gzip', 'close', 'keep-alive', 'hello', '\0', '\x7f', '\xff', '\r\n\r\n']
  )
  const noise = fc.array(bit, { maxLength: 3 }).map((bits) => bits.join(''))
  /** A valid response into which something is put, or from which something is cut. */
  const nearlyValid = fc
    .record({
      response: fc.constantFrom(...[...valid, ...untilClose].map(([, response]) => response)),
      at: fc.nat(200),
      cut: fc.nat(3),
      noise
    })
    .map(({ response, at, cut, noise }) => response.slice(0, at) + noise + response.slice(at + cut))
  const wild = fc.array(bit, { maxLength: 30 }).map((bits) => `HTTP/1.1 200${bits.join('')}`)

  const accord = async (response: string, method: 'GET' | 'HEAD') => {
    const ours = read(response, [], { bodiless: method === 'HEAD' })
    const { end, status, body, bytes } = ours
    if (end === 'malformed') return end
    const theirs = await readWithNode(response.slice(0, bytes), method)
    expect(theirs).toEqual(end === 'missing' ? 'refused' : { status, body })
    if (end === 'complete') {
      expect(await readWithNode(response.slice(0, bytes - 1), method)).toBe('refused')
    }
    return end
  }

  test.each([
    ['near a valid response', nearlyValid],
    ['far from one', wild]
  ])('%s', async (_, responses) => {
    const ends: Record<string, number> = {}
    const method = fc.constantFrom('GET' as const, 'GET' as const, 'HEAD' as const)
    await fc.assert(
      fc.asyncProperty(responses, method, async (response, method) => {
        const end = await accord(response, method)
        ends[end] = (ends[end] ?? 0) + 1
      }),
      { seed: 3, numRuns: 1_500 }
    )
    // The comparison means something only if every kind of end was met.
    expect(Object.keys(ends).length).toBeGreaterThanOrEqual(3)
  })

  test('random bytes are refused or not enough, and never throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), fc.array(fc.nat(500)), (bytes, cuts) => {
        const response = Buffer.from(bytes).toString('latin1')
        expect(['malformed', 'missing']).toContain(read(response, cuts).end)
      }),
      { seed: 4, numRuns: 2_000 }
    )
  })

  test('what was read before makes no difference', () => {
    const headCache = createResponseHeadCache()
    const asked = fc.record({ bodiless: fc.boolean(), keeps: fc.boolean() })
    fc.assert(
      fc.property(fc.oneof(nearlyValid, wild), asked, (response, options) => {
        expect(read(response, [], { ...options, headCache })).toEqual(read(response, [], options))
      }),
      { seed: 6, numRuns: 5_000 }
    )
  })

  test('any response, cut anywhere, is what it is in one piece', () => {
    fc.assert(
      fc.property(
        fc.oneof(nearlyValid, wild),
        fc.array(fc.nat(300), { maxLength: 8 }),
        (response, cuts) => {
          const { bytes: _, ...whole } = read(response)
          const { bytes: __, ...pieces } = read(response, cuts)
          expect(pieces.end).toBe(whole.end)
          if (whole.end !== 'malformed') expect(pieces).toEqual(whole)
        }
      ),
      { seed: 5, numRuns: 5_000 }
    )
  })
})
