import type { BodySink } from '../requests/body-sink.ts'
import { type KeptBody, keepBody } from './body.ts'
import { createHeadCache, type HeadCache, isCached, remember } from './head-cache.ts'
import {
  chunkSize,
  emptyFraming,
  type Framing,
  headerLine,
  statusLine,
  trailerLine
} from './line.ts'

/** What of a response the parser expects next; at the last two it stops. */
export type Expects =
  | 'status'
  | 'header'
  | 'body'
  | 'end of connection'
  | 'chunk size'
  | 'chunk'
  | 'chunk end'
  | 'trailer'
  | 'nothing'
  | 'malformed'

/** The state of one connection's response parser; plain data, worked on by `advance`. */
export type Parser = Framing &
  KeptBody & {
    expects: Expects
    /** The head read last, by any of the parsers that share it. */
    headCache: HeadCache<Expects>
    /** Whether its body is absent whatever its head says (HEAD). */
    bodiless: boolean
    /** Whether another protocol was asked for; what follows its 101 is no response. */
    upgrades: boolean
    /** Whether the connection can carry another response after this one; known with the head. */
    keepAlive: boolean
    /** Bytes of the body or chunk still to come. */
    left: number
    /** Bytes of the head, of the trailers, or of a chunk's size so far. */
    headBytes: number
    /**
     * The beginning of a line whose end has not come yet, in the first `carried` bytes of `carry`.
     */
    carry: Buffer
    carried: number
  }

/** Bytes of head and trailers, and of any one line, beyond which a response is refused. */
export const maxHeadBytes = 64 * 1_024

const nothing = Buffer.alloc(0)
const [tab, lf, cr, del] = [9, 10, 13, 127]

/** 1 for bytes that may stand within a line: visible ones, space, tab and obs-text. */
const text = new Uint8Array(256).map((_, byte) =>
  byte === tab || (byte >= 32 && byte !== del) ? 1 : 0
)

/** What parsers share that read the responses of one target. */
export function createResponseHeadCache(): HeadCache<Expects> {
  return createHeadCache<Expects>('status')
}

/** A parser that expects a response. */
export function createParser(headCache: HeadCache<Expects> = createResponseHeadCache()): Parser {
  return {
    expects: 'status',
    headCache,
    bodiless: false,
    upgrades: false,
    keepAlive: true,
    ...emptyFraming,
    left: 0,
    headBytes: 0,
    carry: nothing,
    carried: 0,
    body: [],
    kept: 0,
    sink: undefined,
    taken: 'more'
  }
}

/** Makes a parser expect the response to a request of which these two things are known. */
export function expectResponse(
  parser: Parser,
  request: { bodiless: boolean; keeps: boolean; sink?: BodySink; upgrades?: boolean }
): void {
  parser.bodiless = request.bodiless
  parser.upgrades = request.upgrades === true
  parser.keeps = request.keeps
  parser.sink = request.sink
  parser.taken = 'more'
  parser.headBytes = 0
  parser.carried = 0
  if (parser.keeps) {
    parser.headers = []
    parser.body = []
    parser.kept = 0
  }
  expectStatus(parser)
}

function expectStatus(parser: Parser): void {
  parser.expects = 'status'
  parser.length = -1
  parser.coding = 'none'
  parser.saysClose = false
  parser.saysKeepAlive = false
  parser.mayFold = false
}

/**
 * Reads on from `at`, at most to `end`, and returns how far it came: to the end of the response
 * (`nothing` is expected any more), to what makes it malformed, or to `end`.
 */
export function advance(parser: Parser, bytes: Buffer, at: number, end: number): number {
  if (parser.expects === 'status' && parser.headBytes === 0) at = head(parser, bytes, at, end)
  while (at < end) {
    switch (parser.expects) {
      case 'status':
      case 'header':
      case 'chunk size':
      case 'chunk end':
      case 'trailer':
        at = line(parser, bytes, at, end)
        break
      case 'body':
      case 'chunk':
        at = skip(parser, bytes, at, end)
        break
      case 'end of connection':
        takeBody(parser, bytes, at, end)
        return end
      default:
        return at
    }
  }
  return at
}

/** Reads the head, or as much of it as there is; one that is known is only compared. */
function head(parser: Parser, bytes: Buffer, at: number, end: number): number {
  const { headCache, bodiless, keeps } = parser
  const isPlain = !bodiless && !keeps
  if (isPlain && isCached(headCache, bytes, at, end)) {
    const { expects, status, minor, keepAlive, left } = headCache.said
    parser.expects = expects
    parser.status = status
    parser.minor = minor
    parser.keepAlive = keepAlive
    parser.left = left
    return at + headCache.length
  }
  let to = at
  while (to < end && (parser.expects === 'status' || parser.expects === 'header')) {
    to = line(parser, bytes, to, end)
  }
  const isRead = parser.expects !== 'status' && parser.expects !== 'header'
  if (isPlain && isRead && parser.expects !== 'malformed')
    remember(headCache, bytes, at, to, parser)
  return to
}

/** Whether the head is there, and all that is still to come, if anything, is body. */
export function isInBody({ expects }: Parser): boolean {
  return expects !== 'status' && expects !== 'header' && expects !== 'malformed'
}

/** Whether the end of the connection would be the end of the response. */
export function endsWithConnection(parser: Parser): boolean {
  return parser.expects === 'end of connection'
}

function skip(parser: Parser, bytes: Buffer, at: number, end: number): number {
  const to = Math.min(end, at + parser.left)
  parser.left -= to - at
  if (parser.left === 0) parser.expects = parser.expects === 'body' ? 'nothing' : 'chunk end'
  takeBody(parser, bytes, at, to)
  return to
}

function takeBody(parser: Parser, bytes: Buffer, from: number, to: number): void {
  if (!keepBody(parser, bytes, from, to)) parser.expects = 'malformed'
}

/** Where the line's LF is; −1 if it is not there yet, −2 if something is that may not be. */
function lineEnd(bytes: Buffer, from: number, end: number): number {
  let at = from
  while (at < end && text[bytes[at]!] === 1) at++
  if (at === end) return -1
  if (bytes[at] !== cr) return -2
  if (at + 1 === end) return -1
  return bytes[at + 1] === lf ? at + 1 : -2
}

/** Takes in one line, or as much of it as there is. */
function line(parser: Parser, bytes: Buffer, at: number, end: number): number {
  if (parser.carried > 0) return carriedLine(parser, bytes, at, end)
  const last = lineEnd(bytes, at, end)
  if (last === -2) return refuse(parser, at)
  const to = last === -1 ? end : last + 1
  parser.headBytes += to - at
  if (parser.headBytes > maxHeadBytes) return refuse(parser, at)
  if (last === -1) carry(parser, bytes, at, end)
  else if (!takeLine(parser, bytes, at, last - 1)) return refuse(parser, at)
  return to
}

/** Goes on with a line whose beginning came earlier: it is put together in `carry`. */
function carriedLine(parser: Parser, bytes: Buffer, at: number, end: number): number {
  let to = at
  while (to < end && bytes[to] !== lf) to++
  if (to < end) to++
  parser.headBytes += to - at
  if (parser.headBytes > maxHeadBytes) return refuse(parser, at)
  const seen = parser.carried - 1
  carry(parser, bytes, at, to)
  const last = lineEnd(parser.carry, seen, parser.carried)
  if (last === -1) return to
  if (last === -2) return refuse(parser, at)
  parser.carried = 0
  return takeLine(parser, parser.carry, 0, last - 1) ? to : refuse(parser, at)
}

function carry(parser: Parser, bytes: Buffer, from: number, to: number): void {
  const needed = parser.carried + to - from
  if (parser.carry.length < needed) {
    const larger = Buffer.allocUnsafeSlow(Math.max(256, needed * 2))
    parser.carry.copy(larger, 0, 0, parser.carried)
    parser.carry = larger
  }
  bytes.copy(parser.carry, parser.carried, from, to)
  parser.carried = needed
}

function refuse(parser: Parser, at: number): number {
  parser.expects = 'malformed'
  return at
}

/** Acts on the line between `from` and `to`, its CRLF excluded; false when it is malformed. */
function takeLine(parser: Parser, bytes: Buffer, from: number, to: number): boolean {
  switch (parser.expects) {
    case 'status':
      parser.expects = 'header'
      return statusLine(parser, bytes, from, to)
    case 'header':
      return from === to ? headEnds(parser) : headerLine(parser, bytes, from, to)
    case 'chunk size':
      parser.left = chunkSize(bytes, from, to)
      // A body may have any number of chunks; only each line of its own has to be short.
      parser.headBytes = 0
      parser.expects = parser.left === 0 ? 'trailer' : 'chunk'
      return parser.left >= 0
    case 'chunk end':
      parser.expects = 'chunk size'
      return from === to
    default:
      if (from === to) parser.expects = 'nothing'
      return from === to || trailerLine(bytes, from, to)
  }
}

/** Decides from the complete head how the body is framed (RFC 9112, section 6.3). */
function headEnds(parser: Parser): boolean {
  const { status, coding, length, saysClose } = parser
  if (status === 101 && parser.upgrades) {
    parser.expects = 'nothing'
    return true
  }
  if (status < 200) {
    expectStatus(parser)
    // An interim response has no body, is not the last, and nobody asked for another protocol.
    return status !== 101 && coding === 'none' && length < 0 && !saysClose
  }
  if (coding !== 'none' && length >= 0) return false
  parser.left = length
  if (parser.bodiless || status === 204 || status === 304) parser.expects = 'nothing'
  else if (coding === 'chunked') parser.expects = 'chunk size'
  else if (coding === 'other' || length < 0) parser.expects = 'end of connection'
  else parser.expects = length === 0 ? 'nothing' : 'body'
  parser.keepAlive = staysOpen(parser)
  return true
}

/** Whether the connection outlives the response (RFC 9112, sections 6.1 and 9.3). */
function staysOpen({ expects, saysClose, saysKeepAlive, minor, coding }: Parser): boolean {
  if (expects === 'end of connection' || saysClose) return false
  return minor === 1 || (saysKeepAlive && coding === 'none')
}
