import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { answer, type Behaviour, onRequests, says, saysAndCloses } from './behaviour.ts'
import { streams } from './streams.ts'

const garbage = randomBytes(4_096)

/** A gibibyte of zeros, in a megabyte. */
const bomb = () => Buffer.concat(Array(64).fill(gzipSync(Buffer.alloc(2 ** 24), { level: 9 })))

const encoded = (coding: string, body: Buffer) =>
  Buffer.concat([
    Buffer.from(
      `HTTP/1.1 200 OK\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`
    ),
    body
  ])

let packed: Buffer | undefined

/** Answers in turn. */
const alternates =
  (...answers: string[]): Behaviour['serve'] =>
  (socket) =>
    onRequests(socket, () => void socket.write(answers[turn++ % answers.length]!))
let turn = 0

const ok = 'Content-Length: 2'
const head = (...lines: string[]) => `HTTP/1.1 200 OK\r\n${lines.join('\r\n')}\r\n\r\n`

const nothing: Record<string, Behaviour['serve']> = {
  garbage: says(garbage),
  'garbage, and closed': saysAndCloses(garbage),
  'a banner of another protocol': (socket) => void socket.write('SSH-2.0-OpenSSH_9.2\r\n'),
  'a TLS alert on a plain port': saysAndCloses(Buffer.from('15030300020246', 'hex')),
  'a TLS handshake on a plain port': says(
    Buffer.from(`160303003a0200003603${'ab'.repeat(54)}`, 'hex')
  ),
  'HTTP/0.9': saysAndCloses('<html>ok</html>'),
  'HTTP/1.7 in a status line': says(`HTTP/1.7 200 OK\r\n${ok}\r\n\r\nok`),
  'a status of four digits': says(`HTTP/1.1 2000 OK\r\n${ok}\r\n\r\nok`),
  'no status': says(`HTTP/1.1 OK\r\n${ok}\r\n\r\nok`),
  'NUL in a header': says(`${head(ok, 'X: a\0b')}ok`),
  'a header without a colon': says(`${head(ok, 'nonsense')}ok`),
  'a chunk size that is none': says(`${head('Transfer-Encoding: chunked')}zz\r\nok\r\n0\r\n\r\n`),
  'a chunk size beyond 64 bits': says(
    `${head('Transfer-Encoding: chunked')}ffffffffffffffffff\r\nok\r\n0\r\n\r\n`
  ),
  'a chunk longer than it says': says(`${head('Transfer-Encoding: chunked')}1\r\nok\r\n0\r\n\r\n`),
  'a length beyond 64 bits': says(`${head('Content-Length: 99999999999999999999')}ok`),
  'a length of an exbibyte': says(`${head('Content-Length: 1152921504606846976')}ok`),
  'a negative length': says(`${head('Content-Length: -2')}ok`),
  'two lengths': says(`${head(ok, 'Content-Length: 5')}ok`),
  'a length and chunks': says(`${head(ok, 'Transfer-Encoding: chunked')}2\r\nok\r\n0\r\n\r\n`),
  'closed at once': (socket) => void socket.end(),
  'closed at the request': (socket) => onRequests(socket, () => void socket.end()),
  'closed within the head': saysAndCloses('HTTP/1.1 200 OK\r\nContent-Le'),
  'closed within the body': saysAndCloses(`${head('Content-Length: 100')}ok`),
  'reset at the request': (socket) => onRequests(socket, () => void socket.resetAndDestroy()),
  'reset within the body': (socket) =>
    onRequests(socket, () => {
      socket.write(`${head('Content-Length: 100')}ok`, () => socket.resetAndDestroy())
    }),
  'half closed, and reading on': (socket) => {
    socket.end()
    socket.resume()
  },
  'never an answer': (socket) => void socket.resume(),
  'never read': () => {},
  'read a byte a second': (socket) => {
    socket.pause()
    const slow = setInterval(() => (socket.destroyed ? clearInterval(slow) : socket.read(1)), 1_000)
  },
  'stopped within the body': says(`${head('Content-Length: 100')}ok`),
  'a connection for each byte of an answer': (socket) =>
    onRequests(socket, () => void socket.end('H')),
  'another protocol agreed to': says('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n')
}

const asOk: Record<string, Behaviour['serve']> = {
  'an answer after a thousand interim ones': says(
    `${'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(1_000)}${answer()}`
  ),
  'kept alive by its word, and closed': (socket) =>
    onRequests(socket, () => void socket.end(answer('ok', ['Connection: keep-alive']))),
  'closed by its word, and left open': says(answer('ok', ['Connection: close'])),
  'a connection for each answer': saysAndCloses(`${head('Connection: close')}ok`)
}

const asOther: Record<string, Behaviour['serve']> = {
  '204 with a body': says(answer('ok', [], '204 No Content')),
  '304 with a body': says(answer('ok', [], '304 Not Modified')),
  'a body longer than it says': says(`${head('Content-Length: 1')}ok`),
  'a bomb of gzip': (socket) => {
    packed ??= encoded('gzip', bomb())
    says(packed)(socket)
  },
  'garbage declared as brotli': says(encoded('br', garbage)),
  'a status of 999': says(answer('ok', [], '999 Whatever')),
  'another answer than was asked for': says(answer('{"bytes":1,"sha256":"0"}'))
}

const asEither: Record<string, Behaviour['serve']> = {
  // Node's own parser, which undici and autocannon read with, takes these two.
  'HTTP/2.0 in a status line': says(`HTTP/2.0 200 OK\r\n${ok}\r\n\r\nok`),
  'NUL in the status line': says(`HTTP/1.1 200 \0\r\n${ok}\r\n\r\nok`),
  // Who is overrun, or sends elsewhere, has not answered the question.
  'redirected to itself': says(answer('', ['Location: /'], '302 Found')),
  'redirected to another port': says(
    answer('', ['Location: http://127.0.0.1:1/'], '307 Elsewhere')
  ),
  '503 to everything': says(answer('', [], '503 Service Unavailable')),
  '429 to everything': says(answer('', ['Retry-After: 9999999'], '429 Too Many Requests')),
  '200 and 503 by turns': alternates(answer(), answer('', [], '503 Service Unavailable')),
  '200 and silence by turns': alternates(answer(), ''),
  'two answers to each request': says(answer() + answer()),
  'an answer before the request': (socket) => {
    socket.write(answer())
    socket.resume()
  },
  'an answer before the request, and one to it': (socket) => {
    socket.write(answer())
    says(answer())(socket)
  },
  'the same length twice': says(`${head(ok, ok)}ok`),
  'a folded header': says(`${head(ok, 'X: a', ' b')}ok`),
  'a space before a colon': says(`${head('Content-Length : 2')}ok`),
  'lines that end in LF only': says('HTTP/1.1 200 OK\nContent-Length: 2\n\nok'),
  'a hundred thousand headers': says(answer('ok', Array(100_000).fill('X-Header: some value'))),
  'a header of a megabyte': says(answer('ok', [`X: ${'a'.repeat(1_048_576)}`])),
  'a chunk extension of a megabyte': says(
    `${head('Transfer-Encoding: chunked')}2;${'a'.repeat(1_048_576)}\r\nok\r\n0\r\n\r\n`
  ),
  'ten thousand trailers': says(
    `${head('Transfer-Encoding: chunked')}2\r\nok\r\n0\r\n${'X: a\r\n'.repeat(10_000)}\r\n`
  )
}

const of = (worth: Behaviour['worth'], serving: Record<string, Behaviour['serve']>): Behaviour[] =>
  Object.entries(serving).map(([name, serve]) => ({ name, worth, serve }))

/** Every hostile behaviour, those that nothing can be made of first. */
export const behaviours: readonly Behaviour[] = [
  ...of('nothing', nothing),
  ...streams,
  ...of('ok', asOk),
  ...of('other', asOther),
  ...of('either', asEither)
]

/** What a server does that is not hostile. */
export const honest: Behaviour = { name: 'honest', worth: 'ok', serve: says(answer()) }
