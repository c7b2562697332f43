import { expect, test } from 'vitest'
import { createResponse } from '../../src/client/response.ts'
import {
  advance,
  createParser,
  createResponseHeadCache,
  endsWithConnection,
  expectResponse
} from '../../src/load/http1/parser.ts'

/** How a response ends, and its body, as a question sees it. */
function asked(text: string, method: string) {
  const response = createResponse(method)
  response.feed(Buffer.from(text, 'latin1'))
  const before = response.progress()
  response.end()
  const after = response.progress()
  const end =
    before === 'complete' ? 'complete' : before === 'garbage' ? 'malformed' : lasting(after)
  return { end, body: response.body.read().body }
}

const lasting = (after: string) => (after === 'complete' ? 'with the connection' : 'missing')

/** The same as a load sees it. */
function loaded(text: string, method: string) {
  const parser = createParser(createResponseHeadCache())
  expectResponse(parser, { bodiless: method === 'HEAD', keeps: true })
  const bytes = Buffer.from(text, 'latin1')
  advance(parser, bytes, 0, bytes.length)
  const open = endsWithConnection(parser) ? 'with the connection' : 'missing'
  const stopped = { nothing: 'complete', malformed: 'malformed' }[parser.expects as 'nothing']
  return { end: stopped ?? open, body: Buffer.concat(parser.body).toString('latin1') }
}

const head = 'HTTP/1.1 200 OK\r\n'
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`

test.each([
  ['a length', `${head}Content-Length: 2\r\n\r\nhi`],
  ['no content', `${head}Content-Length: 0\r\n\r\n`],
  ['more than its length', `${head}Content-Length: 2\r\n\r\nhi, and what else there is`],
  ['less than its length', `${head}Content-Length: 3\r\n\r\nhi`],
  ['no length', `${head}\r\nhi`],
  ['half a head', `${head}Content-Le`],
  ['no status line', 'SSH-2.0-OpenSSH\r\n\r\n'],
  ['chunks', `${chunked}1\r\nh\r\n1;x=y\r\ni\r\n0\r\n\r\n`],
  ['trailers', `${chunked}2\r\nhi\r\n0\r\nDigest: x\r\n\r\n`],
  ['no last chunk', `${chunked}2\r\nhi\r\n`],
  ['a size that is none', `${chunked}x\r\nhi\r\n0\r\n\r\n`],
  ['a chunk that is too long', `${chunked}1\r\nhi\r\n0\r\n\r\n`],
  ['204 with a length', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n'],
  ['304', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n'],
  [
    'an interim answer',
    `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${head}Content-Length: 2\r\n\r\nhi`
  ],
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nhi'],
  ['a header without a name', `${head}: x\r\nContent-Length: 2\r\n\r\nhi`]
])('both say alike where the body ends: %s', (_, text) => {
  for (const method of ['GET', 'HEAD']) expect(loaded(text, method)).toEqual(asked(text, method))
})

test('a length that is said twice is one to a question, and malformed to a load', () => {
  const text = `${head}Content-Length: 2\r\nContent-Length: 2\r\n\r\nhi`
  expect(asked(text, 'GET').end).toBe('complete')
  expect(loaded(text, 'GET').end).toBe('malformed')
})

test.each(['Content-Length: 2\r\nContent-Length: 3', 'Content-Length: -2'])(
  'a length that is none is malformed; where there is no body, to a load alone: %s',
  (length) => {
    const text = `${head}${length}\r\n\r\nhi`
    expect([asked(text, 'GET').end, loaded(text, 'GET').end]).toEqual(['malformed', 'malformed'])
    expect([asked(text, 'HEAD').end, loaded(text, 'HEAD').end]).toEqual(['complete', 'malformed'])
  }
)
