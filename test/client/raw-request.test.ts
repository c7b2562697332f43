import { describe, expect, test } from 'vitest'
import { headerBytes, type RawRequest, renderHead } from '../../src/client/raw-request.ts'
import { parseAddress } from '../../src/target/address.ts'

const address = parseAddress('http://127.0.0.1:8080/v4')
const render = (request: Partial<RawRequest>, headers = {}) =>
  renderHead({ method: 'POST', path: '/a', ...request }, address, headers).toString('latin1')

test('headers are as large as their names and values', () => {
  expect(headerBytes(Buffer.from('GET / HTTP/1.1\r\n\r\n'))).toBe(0)
  const two = 'GET / HTTP/1.1\r\nhost: a.test\r\nx: \r\n\r\n'
  expect(headerBytes(Buffer.from(two))).toBe('hosta.testx'.length)
})

test.each([
  {
    name: 'nothing but what has to be',
    request: { method: 'GET' },
    head: ['GET /v4/a HTTP/1.1', 'host: 127.0.0.1:8080', 'connection: close']
  },
  {
    name: 'a length',
    request: { body: { bytes: 7, framing: 'length' } as const },
    head: ['POST /v4/a HTTP/1.1', 'host: 127.0.0.1:8080', 'connection: close', 'content-length: 7']
  },
  {
    name: 'chunks',
    request: { body: { bytes: 7, framing: 'chunked' } as const },
    head: [
      'POST /v4/a HTTP/1.1',
      'host: 127.0.0.1:8080',
      'connection: close',
      'transfer-encoding: chunked'
    ]
  },
  {
    name: 'asking leave',
    request: { body: { bytes: 7, framing: 'expect' } as const },
    head: [
      'POST /v4/a HTTP/1.1',
      'host: 127.0.0.1:8080',
      'connection: close',
      'content-length: 7',
      'expect: 100-continue'
    ]
  },
  {
    name: "the client's headers, and the question's own in their order and case",
    request: {
      headers: [
        ['X-B', '1'],
        ['X-A', 'é'],
        ['X-B', '2']
      ] as [string, string][]
    },
    headers: { host: 'zone.test', authorization: 'Bearer t' },
    head: [
      'POST /v4/a HTTP/1.1',
      'host: zone.test',
      'connection: close',
      'authorization: Bearer t',
      'X-B: 1',
      'X-A: é',
      'X-B: 2'
    ]
  },
  {
    name: "a name given replaces ours, a body's length too",
    request: {
      body: { bytes: 0, framing: 'length' } as const,
      headers: [
        ['Content-Length', '1000000'],
        ['Host', 'h'],
        ['Connection', 'x']
      ] as [string, string][]
    },
    head: ['POST /v4/a HTTP/1.1', 'Content-Length: 1000000', 'Host: h', 'Connection: x']
  }
])('$name', ({ request, headers, head }) => {
  expect(render(request, headers)).toBe(`${head.join('\r\n')}\r\n\r\n`)
})

describe('what is not one HTTP request is misuse', () => {
  test.each<Partial<RawRequest>>([
    { method: 'GET /' },
    { method: '' },
    { path: '/a b' },
    { path: '/a\r\nx: y' },
    { headers: [['a b', 'c']] },
    { headers: [['a', 'b\r\nc: d']] },
    { headers: [['a', '\u{1f600}']] }
  ])('%j', (request) => {
    expect(() => render(request)).toThrow(TypeError)
  })
})
