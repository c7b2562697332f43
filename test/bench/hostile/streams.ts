import { randomBytes } from 'node:crypto'
import { answer, type Behaviour, drips, floods } from './behaviour.ts'

const head = 'HTTP/1.1 200 OK\r\n'

const serving: Record<string, Behaviour['serve']> = {
  'garbage for ever': floods('', randomBytes(65_536)),
  'headers for ever': floods(head, 'X-Header: some value\r\n'),
  'one header for ever': floods(`${head}X: `, 'a'),
  'a body for ever': floods(`${head}\r\n`, 'a'),
  'chunks for ever': floods(`${head}Transfer-Encoding: chunked\r\n\r\n`, '1\r\na\r\n'),
  'a chunk extension for ever': floods(`${head}Transfer-Encoding: chunked\r\n\r\n1;`, 'a'),
  'trailers for ever': floods(`${head}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'X: a\r\n'),
  'interim answers for ever': floods('', 'HTTP/1.1 100 Continue\r\n\r\n'),
  'a head, a byte a second': drips('', answer()),
  'a body, a byte a second': drips(`${head}Content-Length: 9999\r\n\r\n`, 'a'.repeat(9_999)),
  'an interim answer now and then': drips('', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(40))
}

/** Behaviours that go on for ever, as fast as they can or slowly; they come to nothing. */
export const streams: readonly Behaviour[] = [
  ...Object.entries(serving).map(([name, serve]): Behaviour => ({ name, worth: 'nothing', serve })),
  {
    name: 'answers for ever, asked for or not',
    worth: 'either',
    serve: floods('', answer())
  }
]
