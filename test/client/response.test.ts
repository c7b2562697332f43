import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createResponse } from '../../src/client/response.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
setFlagsFromString('--no-expose-gc')

/** Bytes of the heap that are alive after a collection. */
function alive(): number {
  collect()
  return process.memoryUsage().heapUsed
}

/** The response made of these parts, each a buffer of its own, and an orderly end. */
function read(parts: string[], method = 'GET') {
  const response = createResponse(method)
  for (const part of parts) response.feed(Buffer.from(part, 'latin1'))
  const before = response.progress()
  response.end()
  const { status, headers } = response.head()
  const { body, received } = response.body.read()
  const progress = response.progress()
  return { before, progress, status, headers, body, received, fault: response.fault() }
}

const complete = [
  { name: 'a length', text: 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello', body: 'hello' },
  { name: 'no content', text: 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', body: '' },
  {
    name: 'one length said twice',
    text: 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 5\r\n\r\nhello',
    body: 'hello'
  },
  {
    name: 'chunks',
    text: 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhel\r\n002\r\nlo\r\n0\r\n\r\n',
    body: 'hello'
  },
  {
    name: 'chunks with extensions and trailers',
    text:
      'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, Chunked\r\n\r\n' +
      '5;a="b"\r\nhello\r\n0\r\nX-Sum: 1\r\nY: 2\r\n\r\n',
    body: 'hello'
  },
  { name: 'no reason phrase', text: 'HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n', body: '' },
  { name: '204', text: 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n', body: '' },
  { name: '304', text: 'HTTP/1.1 304 Not Modified\r\n\r\n', body: '' },
  {
    name: 'interim responses',
    text:
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n' +
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    body: 'ok'
  },
  {
    name: 'bytes after the end',
    text: 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok!',
    body: 'ok'
  }
]

describe('complete before the connection ends', () => {
  test.each(complete)('$name', ({ text, body }) => {
    const status = Number(/HTTP\/1\.\d ([2-9]\d\d)/.exec(text)![1])
    expect(read([text])).toMatchObject({ before: 'complete', status, body, fault: '' })
  })

  test.each(complete)('$name, a byte at a time', ({ text, body }) => {
    expect(read([...text])).toMatchObject({ before: 'complete', body, fault: '' })
  })

  test('the answer to HEAD has no body', () => {
    const text = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n'
    expect(read([text], 'HEAD')).toMatchObject({ before: 'complete', body: '' })
    expect(read([text], 'GET')).toMatchObject({ before: 'body' })
  })

  test('however the bytes are cut, they mean the same', () => {
    const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 })
    fc.assert(
      fc.property(fc.constantFrom(...complete), cuts, ({ text }, sizes) => {
        const parts: string[] = []
        for (let at = 0; at < text.length; at += parts.at(-1)!.length) {
          parts.push(text.slice(at, at + sizes[parts.length % sizes.length]!))
        }
        expect(read(parts)).toEqual(read([text]))
      })
    )
  })
})

describe('at the end of the connection', () => {
  const close = 'HTTP/1.1 200 OK\r\n\r\n'
  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
  test.each([
    { name: 'a body without a length', text: `${close}hello`, progress: 'complete', received: 5 },
    { name: 'no body, no length', text: close, progress: 'complete', received: 0 },
    {
      name: 'a coding that is not chunked',
      text: 'HTTP/1.1 200 OK\r\ntransfer-encoding: gzip\r\n\r\nhello',
      progress: 'complete',
      received: 5
    },
    {
      name: 'less than promised',
      text: 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhello',
      progress: 'body',
      received: 5
    },
    { name: 'no last chunk', text: `${chunked}5\r\nhello\r\n`, progress: 'body', received: 5 },
    { name: 'half a chunk', text: `${chunked}5\r\nhe`, progress: 'body', received: 2 },
    { name: 'no end of trailers', text: `${chunked}0\r\nA: b\r\n`, progress: 'body', received: 0 },
    { name: 'half a head', text: 'HTTP/1.1 200 OK\r\nserv', progress: 'head', received: 0 },
    { name: 'nothing', text: '', progress: 'nothing', received: 0 },
    { name: 'only 100', text: 'HTTP/1.1 100 Continue\r\n\r\n', progress: 'nothing', received: 0 }
  ])('$name', ({ text, progress, received }) => {
    expect(read([text])).toMatchObject({ progress, received, fault: '' })
  })
})

describe('not HTTP', () => {
  const ok = 'HTTP/1.1 200 OK\r\n'
  const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`
  test.each([
    { text: 'SSH-2.0-x', fault: 'it begins with "SSH-2.0-x"' },
    { text: 'H2', fault: 'it begins with "H2"' },
    { text: 'http/1.1 200 OK\r\n\r\n', fault: 'it begins with "http/1.1 200 OK\\r\\n\\r\\n"' },
    { text: 'HTTP/2 200\r\n\r\n', fault: 'it begins with "HTTP/2 200\\r\\n\\r\\n"' },
    { text: 'HTTP/1.1 20 OK\r\n\r\n', fault: 'the status line is "HTTP/1.1 20 OK"' },
    { text: 'HTTP/1.1 099 Low\r\n\r\n', fault: 'the status line is "HTTP/1.1 099 Low"' },
    { text: 'HTTP/1.1  200 OK\r\n\r\n', fault: 'the status line is "HTTP/1.1  200 OK"' },
    { text: `${ok}A : b\r\n\r\n`, fault: 'a header line is "A : b"' },
    { text: `${ok}A: b\r\n c\r\n\r\n`, fault: 'a header line is " c"' },
    { text: `${ok}no colon\r\n\r\n`, fault: 'a header line is "no colon"' },
    { text: 'HTTP/1.1 200 OK\nA: b\n\n', fault: 'its lines do not end in CR LF' },
    { text: `${ok}content-length: -1\r\n\r\n`, fault: 'content-length is "-1"' },
    { text: `${ok}content-length: 5, 6\r\n\r\n`, fault: 'content-length is "5, 6"' },
    {
      text: `${ok}content-length: 99999999999999999\r\n\r\n`,
      fault: 'content-length is "99999999999999999"'
    },
    {
      text: `${ok}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n`,
      fault: 'both transfer-encoding and content-length'
    },
    { text: `${chunked}x\r\n`, fault: 'a chunk size is "x\\r\\n"' },
    { text: `${chunked}-5\r\n`, fault: 'a chunk size is "-5\\r\\n"' },
    { text: `${chunked}5\n`, fault: 'a chunk size is "5\\n"' },
    { text: `${chunked}2\r\nabc\r\n`, fault: 'a chunk is followed by "c\\r\\n"' },
    {
      text: 'HTTP/1.1 101 Switching Protocols\r\n\r\n',
      fault: '101, but no other protocol was asked for'
    }
  ])('$fault', ({ text, fault }) => {
    expect(read([text])).toMatchObject({ before: 'garbage', progress: 'garbage', fault })
  })

  test('a head without end, and a chunk line without end', () => {
    const long = 'x'.repeat(600_000)
    expect(read([`${ok}a: `, long, long]).fault).toBe('its head does not end within 1 MiB')
    expect(read([chunked, `5;${long}`]).fault).toMatch(/^a chunk line is "5;xxx/)
  })
})

test('headers are known by lower-case name, repeated ones joined', () => {
  const text =
    'HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nX:\r\nset-cookie:  b=2 \r\nConstructor: c\r\n\r\n'
  expect(read([text]).headers).toEqual({ 'set-cookie': 'a=1, b=2', x: '', constructor: 'c' })
})

test('the body keeps 64 KiB of text and 8 MiB of JSON, and counts everything', () => {
  const { body, feed } = createResponse('GET')
  feed(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))
  feed(Buffer.from(JSON.stringify(['é'.repeat(40_000)])))
  expect(body.read().received).toBe(80_004)
  expect(body.read().json).toEqual(['é'.repeat(40_000)])
  // The cut at 65,536 bytes falls into a character, which is left out.
  expect(body.read().body).toBe(`["${'é'.repeat(32_767)}`)
  feed(Buffer.alloc(9_000_000, ' '))
  expect(body.read()).toMatchObject({ received: 9_080_004, json: undefined })
  expect(body.read().body).toBe(`["${'é'.repeat(32_767)}`)
})

test('what is not kept takes no memory', () => {
  const { body, feed } = createResponse('GET')
  feed(Buffer.from('HTTP/1.1 200 OK\r\n\r\n'))
  const megabyte = Buffer.alloc(1_000_000, ' ')
  const before = process.memoryUsage().arrayBuffers
  for (let n = 0; n < 200; n++) feed(megabyte)
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000)
  expect(body.read().received).toBe(200_000_000)
})

test('an invitation to send the body is noticed, and is no answer', () => {
  const response = createResponse('POST')
  response.feed(Buffer.from('HTTP/1.1 103 Early Hints\r\n\r\n'))
  expect(response.isInvited()).toBe(false)
  response.feed(Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'))
  expect(response.isInvited()).toBe(true)
  expect(response.progress()).toBe('nothing')
  expect(response.head().status).toBe(0)
})

test('a body in chunks of a byte takes the memory of its bytes', () => {
  const { body, feed } = createResponse('GET')
  feed(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'))
  const thousand = Buffer.from('1\r\na\r\n'.repeat(1_000))
  const before = alive()
  for (let n = 0; n < 1_000; n++) feed(thousand)
  expect(alive() - before).toBeLessThan(20_000_000)
  expect(body.read().received).toBe(1_000_000)
  expect(body.read().body).toBe('a'.repeat(65_536))
})

test('trailers that do not end are garbage', () => {
  const { feed, fault } = createResponse('GET')
  feed(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n'))
  const trailers = Buffer.from('X: a\r\n'.repeat(10_000))
  for (let n = 0; n < 17; n++) feed(trailers)
  expect(fault()).toBe('')
  feed(trailers)
  expect(fault()).toMatch(/trailers do not end/)
})
