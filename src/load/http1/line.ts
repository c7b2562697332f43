/** What the lines of a response's head say about its framing; a part of the parser's state. */
export type Framing = {
  status: number
  /** The x of HTTP/1.x. */
  minor: number
  saysClose: boolean
  saysKeepAlive: boolean
  /** Content-Length; −1 without one. */
  length: number
  /** What Transfer-Encoding says: nothing, that the last coding is chunked, or another one. */
  coding: 'none' | 'chunked' | 'other'
  /** Whether a line that begins with a blank would go on with a value; not one about framing. */
  mayFold: boolean
  /** Whether to keep the headers and body, which costs memory and time. */
  keeps: boolean
  /** Names (lower case) and values in turn, if kept. */
  headers: string[]
}

/** What no line has said anything about. */
export const emptyFraming: Framing = {
  status: 0,
  minor: 1,
  saysClose: false,
  saysKeepAlive: false,
  length: -1,
  coding: 'none',
  mayFold: false,
  keeps: false,
  headers: []
}

const [tab, space, zero, nine, colon, semicolon] = [9, 32, 48, 57, 58, 59]

/** 1 for the bytes a header name is made of (RFC 9110, token). */
const token = new Uint8Array(256).map((_, byte) =>
  /[!#$%&'*+\-.^_`|~0-9A-Za-z]/.test(String.fromCharCode(byte)) ? 1 : 0
)

const isDigit = (byte: number) => byte >= zero && byte <= nine

/** Whether the bytes from `from` on are `name` (lower case), in either case. */
function spells(bytes: Buffer, from: number, name: Buffer): boolean {
  for (let i = 0; i < name.length; i++) {
    const byte = bytes[from + i]!
    const lower = byte >= 65 && byte <= 90 ? byte + 32 : byte
    if (lower !== name[i]) return false
  }
  return true
}

const version = Buffer.from('HTTP/1.')
const contentLength = Buffer.from('content-length')
const transferEncoding = Buffer.from('transfer-encoding')
const connection = Buffer.from('connection')
const framing = [contentLength, transferEncoding, connection]
const keepAlive = Buffer.from('keep-alive')
const plainKeepAlive = ['keep-alive']

/** Reads `HTTP/1.x NNN reason`; the reason, and the space before it, may be missing. */
export function statusLine(into: Framing, bytes: Buffer, from: number, to: number): boolean {
  if (to - from < 12) return false
  for (let i = 0; i < 7; i++) if (bytes[from + i] !== version[i]) return false
  const minor = bytes[from + 7]! - zero
  if ((minor !== 0 && minor !== 1) || bytes[from + 8] !== space) return false
  const hundreds = bytes[from + 9]!
  const tens = bytes[from + 10]!
  const ones = bytes[from + 11]!
  if (!isDigit(hundreds) || !isDigit(tens) || !isDigit(ones) || hundreds === zero) return false
  into.status = (hundreds - zero) * 100 + (tens - zero) * 10 + (ones - zero)
  into.minor = minor
  return to - from === 12 || bytes[from + 12] === space
}

/** Where the colon after a header's name is; −1 without a name or a colon. */
function colonAfterName(bytes: Buffer, from: number, to: number): number {
  let at = from
  while (at < to && token[bytes[at]!] === 1) at++
  return at > from && at < to && bytes[at] === colon ? at : -1
}

/** Reads `name: value`; false when it is malformed. */
export function headerLine(into: Framing, bytes: Buffer, from: number, to: number): boolean {
  if (isBlank(bytes[from]!)) return foldedLine(into, bytes, from, to)
  const at = colonAfterName(bytes, from, to)
  if (at < 0) return false
  let first = at + 1
  let last = to
  while (first < last && isBlank(bytes[first]!)) first++
  while (last > first && isBlank(bytes[last - 1]!)) last--
  if (into.keeps) keepHeader(into, bytes, { from, at, first, last })
  into.mayFold = !isFraming(bytes, from, at)
  switch (at - from) {
    case contentLength.length:
      return !spells(bytes, from, contentLength) || lengthIs(into, bytes, first, last)
    case transferEncoding.length:
      return !spells(bytes, from, transferEncoding) || codingIs(into, bytes, first, last)
    case connection.length:
      if (spells(bytes, from, connection)) connectionIs(into, bytes, first, last)
  }
  return true
}

/**
 * Goes on with the value of the line before (obs-fold: RFC 9112, section 5.2, has it replaced by a
 * space); false where there is none, or two who read it may come to two framings.
 */
function foldedLine({ mayFold, keeps, headers }: Framing, bytes: Buffer, from: number, to: number) {
  const more = bytes.toString('latin1', from, to).replace(/^[ \t]+|[ \t]+$/g, '')
  if (mayFold && keeps && more !== '') headers.push(`${headers.pop()} ${more}`)
  return mayFold
}

/** Whether the name between `from` and `to` is of a header that says where a response ends. */
function isFraming(bytes: Buffer, from: number, to: number): boolean {
  return framing.some((name) => to - from === name.length && spells(bytes, from, name))
}

/** Reads a line after the last chunk; false when it is malformed or speaks of framing too late. */
export function trailerLine(bytes: Buffer, from: number, to: number): boolean {
  const at = colonAfterName(bytes, from, to)
  if (at < 0) return false
  const isCalled = (name: Buffer) => at - from === name.length && spells(bytes, from, name)
  return !isCalled(contentLength) && !isCalled(transferEncoding)
}

function keepHeader(
  { headers }: Framing,
  bytes: Buffer,
  { from, at, first, last }: { from: number; at: number; first: number; last: number }
): void {
  headers.push(
    bytes.toString('latin1', from, at).toLowerCase(),
    bytes.toString('latin1', first, last)
  )
}

const isBlank = (byte: number) => byte === space || byte === tab

/** Where the zeros end that a number of any length may begin with. */
function afterZeros(bytes: Buffer, from: number, to: number): number {
  let at = from
  while (at < to && bytes[at] === zero) at++
  return at
}

function lengthIs(into: Framing, bytes: Buffer, from: number, to: number): boolean {
  // Two lengths are refused even if equal: they smuggle responses.
  if (into.length >= 0 || from === to) return false
  const significant = afterZeros(bytes, from, to)
  // Up to 15 digits are exact.
  if (to - significant > 15) return false
  let length = 0
  for (let at = significant; at < to; at++) {
    if (!isDigit(bytes[at]!)) return false
    length = length * 10 + bytes[at]! - zero
  }
  into.length = length
  return true
}

/** The items of a list in lower case. */
function listOf(bytes: Buffer, from: number, to: number): string[] {
  return bytes
    .toString('latin1', from, to)
    .toLowerCase()
    .split(/[ \t]*,[ \t]*/)
}

function connectionIs(into: Framing, bytes: Buffer, from: number, to: number): void {
  // What nearly every response says needs no list to be made.
  const isPlain = to - from === keepAlive.length && spells(bytes, from, keepAlive)
  const options = isPlain ? plainKeepAlive : listOf(bytes, from, to)
  if (options.includes('close')) into.saysClose = true
  if (options.includes('keep-alive')) into.saysKeepAlive = true
}

function codingIs(into: Framing, bytes: Buffer, from: number, to: number): boolean {
  const codings = listOf(bytes, from, to)
  if (codings.includes('')) return false
  // Nothing can follow chunked, and a second time it would be framing within framing.
  if (into.coding === 'chunked' || codings.slice(0, -1).includes('chunked')) return false
  into.coding = codings.at(-1) === 'chunked' ? 'chunked' : 'other'
  return true
}

/**
 * What may follow a chunk's size (RFC 9112, section 7.1.1); blanks are the sender's to leave out.
 */
const extensions = /^(;[!#$%&'*+\-.^_`|~\w]+(=([!#$%&'*+\-.^_`|~\w]+|"([^"\\]|\\.)*"))?)*$/

/** The size a chunk begins with, extensions ignored; −1 when there is none. */
export function chunkSize(bytes: Buffer, from: number, to: number): number {
  let size = 0
  const significant = afterZeros(bytes, from, to)
  let at = significant
  for (; at < to && bytes[at] !== semicolon; at++) {
    const digit = hexDigit(bytes[at]!)
    if (digit < 0) return -1
    size = size * 16 + digit
  }
  // Up to 12 hexadecimal digits are exact, and more bytes than anybody sends.
  if (at === from || at - significant > 12) return -1
  return at === to || extensions.test(bytes.toString('latin1', at, to)) ? size : -1
}

function hexDigit(byte: number): number {
  if (isDigit(byte)) return byte - zero
  const lower = byte | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}
