import { expect, test } from 'vitest'
import { framesOf } from '../../../src/load/http2/request-frames.ts'
import { batch, prepare, type Request, requestBytes } from '../../../src/load/requests/request.ts'

const options = { route: 0, keeps: false }

test.each<[string, Request, string]>([
  ['plain', { url: 'http://a.example/x?y=1#z' }, 'GET /x?y=1 HTTP/1.1\r\nHost: a.example\r\n\r\n'],
  ['a port', { url: 'http://a.example:81' }, 'GET / HTTP/1.1\r\nHost: a.example:81\r\n\r\n'],
  [
    'a body',
    { url: 'http://a.example/', method: 'post', body: 'é' },
    'POST / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 2\r\n\r\nÃ©'
  ],
  [
    'no body where one is usual',
    { url: 'http://a.example/', method: 'PUT' },
    'PUT / HTTP/1.1\r\nHost: a.example\r\nContent-Length: 0\r\n\r\n'
  ],
  [
    'headers, some of them twice',
    { url: 'http://a.example/', headers: { host: 'b', x: ['1', '2'] } },
    'GET / HTTP/1.1\r\nhost: b\r\nx: 1\r\nx: 2\r\n\r\n'
  ]
])('%s', (_, request, expected) => {
  expect(requestBytes(request).toString('latin1')).toBe(expected)
})

test.each<[string, Request]>([
  ['a header that would split the request', { url: 'http://a/', headers: { x: '1\r\ny: 2' } }],
  ['a header without name', { url: 'http://a/', headers: { '': '1' } }],
  ['a coding of its own', { url: 'http://a/', headers: { 'Transfer-Encoding': 'chunked' } }],
  [
    'another length than it has',
    { url: 'http://a/', headers: { 'content-length': '5' }, body: 'hi' }
  ],
  ['another protocol', { url: 'http://a/', headers: { connection: 'upgrade' } }],
  ['a method that is none', { url: 'http://a/', method: 'GET /' }],
  ['a tunnel', { url: 'http://a/', method: 'connect' }],
  ['another scheme', { url: 'file:///etc/passwd' }],
  ['no URL', { url: '/x' }]
])('refused: %s', (_, request) => {
  expect(() => prepare(request, options)).toThrow(TypeError)
})

test('several at once are built once', () => {
  const prepared = prepare({ url: 'http://a/' }, options)
  expect(batch(prepared, 1)).toBe(prepared.bytes)
  expect(batch(prepared, 3).toString()).toBe(prepared.bytes.toString().repeat(3))
  expect(batch(prepared, 3)).toBe(batch(prepared, 3))
})

test('a request that nothing changes any more is made ready once, any other each time', () => {
  const open = { url: 'http://127.0.0.1/', body: 'a' }
  const before = prepare(open, options).bytes
  open.body = 'b'
  expect([`${before}`.at(-1), `${prepare(open, options).bytes}`.at(-1)]).toEqual(['a', 'b'])
  const frozen = Object.freeze({ ...open })
  const [one, other] = [prepare(frozen, options), prepare(frozen, { route: 1, keeps: true })]
  expect(one.bytes).toBe(other.bytes)
  expect([other.route, other.keeps]).toEqual([1, true])
  expect(framesOf(one)).toBe(framesOf(other))
  expect(framesOf(prepare(open, options))).not.toBe(framesOf(prepare(open, options)))
})
