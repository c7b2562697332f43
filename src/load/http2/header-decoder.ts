import {
  createHeaderTable,
  entryAt,
  type HeaderEntry,
  type HeaderTable,
  remember,
  resize,
  sizeOf,
  staticEntries,
  tableBytes,
  tablePlaces
} from './header-table.ts'
import { unpack } from './huffman.ts'

/** The fields of one header block, and what they say that a client has to know. */
export type FieldBlock = {
  /** Names (lower case) and values in turn, without `:status`. */
  fields: string[]
  /** 0 without one, as in trailers. */
  status: number
  /** Content-Length; −1 without one. */
  length: number
  /** What no response may say, in words; undefined where all is well. */
  fault: string | undefined
}

/** Reads the header blocks of one connection, in the order in which they come. */
export type HeaderDecoder = {
  table: HeaderTable
  /** The block read last: servers say the same again and again. */
  known: Buffer
  knownBytes: number
  /** What it meant, and had remembered. */
  knownBlock: FieldBlock | undefined
  knownKept: readonly HeaderEntry[]
  /** With which version of the table it means that; −1 where it names nothing of the table. */
  knownVersion: number
  /** How often it came since the table was last brought up to date. */
  repeats: number
}

/** Bytes of a header block beyond which it is refused, packed as it comes and unpacked alike. */
export const maxBlockBytes = 64 * 1_024

/** Blocks longer than this are read each time. */
const longestKnown = 4 * 1_024

const scratch = Buffer.allocUnsafeSlow(maxBlockBytes)

/** A decoder of a connection on which nothing was said yet. */
export function createHeaderDecoder(): HeaderDecoder {
  return {
    table: createHeaderTable(),
    known: Buffer.alloc(0),
    knownBytes: 0,
    knownBlock: undefined,
    knownKept: [],
    knownVersion: -1,
    repeats: 0
  }
}

/** Where the reading of a block is, and what it did with the table. */
type Cursor = {
  bytes: Buffer
  at: number
  end: number
  /** What it has had remembered; whether it named what was, or changed the room. */
  kept: HeaderEntry[]
  names: boolean
  resizes: boolean
}

/** Numbers are at most some hundred millions, which is beyond all that can be meant. */
const longestShift = 28

/** The number behind a prefix of so many bits; −1 where it is cut off or too large. */
function integer(cursor: Cursor, bits: number): number {
  const most = (1 << bits) - 1
  let value = cursor.bytes[cursor.at++]! & most
  if (value < most) return value
  for (let shift = 0; shift < longestShift && cursor.at < cursor.end; shift += 7) {
    const byte = cursor.bytes[cursor.at++]!
    value += (byte & 127) * 2 ** shift
    if (byte < 128) return value
  }
  return -1
}

/** The text that comes next; undefined where it is cut off, too long, or no such code. */
function text(cursor: Cursor): string | undefined {
  if (cursor.at >= cursor.end) return
  const isPacked = cursor.bytes[cursor.at]! >= 128
  const size = integer(cursor, 7)
  const from = cursor.at
  if (size < 0 || from + size > cursor.end) return
  cursor.at += size
  if (!isPacked) return cursor.bytes.toString('latin1', from, cursor.at)
  const unpacked = unpack(cursor.bytes, from, cursor.at, scratch)
  if (unpacked < 0 || unpacked > scratch.length) return
  return scratch.toString('latin1', 0, unpacked)
}

/** The entry of an index that was read. */
function named(cursor: Cursor, table: HeaderTable, index: number): HeaderEntry | undefined {
  if (index > staticEntries.length) cursor.names = true
  return entryAt(table, index)
}

/** A field that is written out, its name perhaps by an index of so many bits. */
function literal(cursor: Cursor, table: HeaderTable, bits: number): HeaderEntry | undefined {
  const index = integer(cursor, bits)
  if (index < 0) return
  const name = index === 0 ? text(cursor) : named(cursor, table, index)?.name
  const value = name === undefined ? undefined : text(cursor)
  return value === undefined ? undefined : { name: name!, value }
}

const namePattern = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
const badValue = /[\0\r\n]|^[ \t]|[ \t]$/

/** Fields that speak of a connection, which HTTP/2 keeps to itself (RFC 9113, section 8.2.2). */
const ofConnections = new Set([
  ...['connection', 'proxy-connection', 'keep-alive', 'transfer-encoding', 'upgrade']
])

/** Takes in a field; says what is wrong with it, if anything. */
function takeField(block: FieldBlock, { name, value }: HeaderEntry): string | undefined {
  if (name === ':status') {
    if (block.status > 0 || block.fields.length > 0) return 'a :status out of place'
    if (!/^[1-9]\d\d$/.test(value)) return 'a :status that is none'
    block.status = Number(value)
    return
  }
  block.fields.push(name, value)
  if (!namePattern.test(name)) return 'a header name that is none'
  if (badValue.test(value)) return `a value of ${name} that none can have`
  if (ofConnections.has(name)) return `the header ${name}, which HTTP/2 does not have`
  if (name !== 'content-length') return
  if (block.length >= 0 || !/^\d{1,15}$/.test(value)) return 'a content-length that is none'
  block.length = Number(value)
}

/** The next field, after what is said of the table; a string says why there is none. */
function nextField(cursor: Cursor, table: HeaderTable): HeaderEntry | string {
  const mark = cursor.bytes[cursor.at]!
  if (mark >= 0x80) return named(cursor, table, integer(cursor, 7)) ?? 'an index of no header field'
  const isKept = mark >= 0x40
  const field = literal(cursor, table, isKept ? 6 : 4)
  if (field === undefined) return 'a header field that cannot be read'
  if (isKept) {
    remember(table, field)
    cursor.kept.push(field)
  }
  return field
}

/**
 * What the block between `from` and `to` says; a string says in words why it cannot be read, and
 * with it nothing that comes later on the connection.
 */
export function decodeBlock(
  decoder: HeaderDecoder,
  bytes: Buffer,
  from: number,
  to: number
): FieldBlock | string {
  const { table } = decoder
  if (isKnown(decoder, bytes, from, to)) {
    decoder.repeats++
    return decoder.knownBlock!
  }
  catchUp(decoder)
  const { version } = table
  const cursor = { bytes, at: from, end: to, kept: [], names: false, resizes: false }
  const block: FieldBlock = { fields: [], status: 0, length: -1, fault: undefined }
  const failure = readBlock(table, cursor, block)
  if (failure !== undefined) return failure
  const isLasting = !cursor.resizes && (!cursor.names || version === table.version)
  if (isLasting && to - from <= longestKnown) keep(decoder, cursor, from, block)
  return block
}

/** Has remembered what the block that came again and again had remembered each time. */
function catchUp(decoder: HeaderDecoder): void {
  const { table, knownKept } = decoder
  // After so many times there is nothing else in the table, and more of them change nothing.
  for (let left = Math.min(decoder.repeats, tablePlaces); left > 0; left--) {
    for (const entry of knownKept) remember(table, entry)
  }
  decoder.repeats = 0
}

/** Whether it is the block that was read last, and means the same. */
function isKnown(decoder: HeaderDecoder, bytes: Buffer, from: number, to: number): boolean {
  const { known, knownBytes, knownVersion, table } = decoder
  if (knownBytes !== to - from) return false
  if (knownVersion !== -1 && knownVersion !== table.version) return false
  for (let at = 0; at < knownBytes; at++) if (known[at] !== bytes[from + at]) return false
  return knownBytes > 0
}

function readBlock(table: HeaderTable, cursor: Cursor, block: FieldBlock): string | undefined {
  const { bytes, end } = cursor
  while (cursor.at < end && bytes[cursor.at]! >>> 5 === 1) {
    const most = integer(cursor, 5)
    if (most < 0 || most > tableBytes) return 'a header table larger than it may be'
    resize(table, most)
    cursor.resizes = true
  }
  let size = 0
  while (cursor.at < end) {
    if (bytes[cursor.at]! >>> 5 === 1) return 'a change of the header table among fields'
    const field = nextField(cursor, table)
    if (typeof field === 'string') return field
    size += sizeOf(field)
    if (size > maxBlockBytes) return `headers of more than ${maxBlockBytes} bytes`
    const fault = takeField(block, field)
    block.fault ??= fault
  }
}

function keep(
  decoder: HeaderDecoder,
  { bytes, end, kept, names }: Cursor,
  from: number,
  block: FieldBlock
): void {
  if (decoder.known.length < end - from) decoder.known = Buffer.allocUnsafeSlow((end - from) * 2)
  bytes.copy(decoder.known, 0, from, end)
  decoder.knownBytes = end - from
  decoder.knownBlock = block
  decoder.knownKept = kept
  decoder.knownVersion = names ? decoder.table.version : -1
}
