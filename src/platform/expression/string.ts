import { bytes } from './bytes.ts'
import type { Cursor } from './cursor.ts'
import { refuse, take, taken } from './scanner.ts'

/** A string as bytes: quoted, raw, or at least two bytes in hexadecimal such as `6F:72-67`. */
export function readBytes(cursor: Cursor): string {
  if (cursor.at === cursor.source.length) refuse(cursor, 'unrecognised input')
  return isStringNext(cursor) ? readString(cursor) : readHexBytes(cursor)
}

/** A quoted or raw string as bytes. */
export function readString(cursor: Cursor): string {
  if (take(cursor, '"')) return readQuoted(cursor)
  if (take(cursor, 'r')) return bytes(readRaw(cursor))
  refuse(cursor, 'expected a quoted or raw string')
}

/** A quoted or raw string as the text of a regular expression, whose escapes are left to it. */
export function readPattern(cursor: Cursor): string {
  if (take(cursor, '"')) return readQuotedPattern(cursor)
  if (take(cursor, 'r')) return readRaw(cursor)
  refuse(cursor, 'expected a quoted or raw string')
}

function isStringNext(cursor: Cursor): boolean {
  return '"r'.includes(cursor.source[cursor.at]!)
}

function readQuoted(cursor: Cursor): string {
  const start = cursor.at
  let value = ''
  while (!take(cursor, '"')) {
    const plain = taken(cursor, /[^"\\]+/y)
    if (plain !== undefined) value += bytes(plain)
    else if (take(cursor, '\\')) value += readEscape(cursor, start)
    else refuse(cursor, 'could not find an ending quote', { start })
  }
  return value
}

function readEscape(cursor: Cursor, start: number): string {
  const quote = taken(cursor, /["\\]/y)
  if (quote !== undefined) return quote
  const code = taken(cursor, /x[0-9a-fA-F]{2}|[0-3][0-7]{2}/y)
  if (code !== undefined) {
    return String.fromCharCode(
      code.startsWith('x') ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8)
    )
  }
  const bad = taken(cursor, /[x0-7][^"]{0,2}|./suy)
  if (bad === undefined) refuse(cursor, 'could not find an ending quote', { start })
  const span = { start: cursor.at - bad.length, end: cursor.at }
  refuse(cursor, 'expected ", \\, xHH or three octal digits after \\', span)
}

function readQuotedPattern(cursor: Cursor): string {
  const start = cursor.at
  let pattern = ''
  // A quote inside a character class does not end the string.
  let inClass = false
  while (inClass || !take(cursor, '"')) {
    const part = taken(cursor, /\\.|[^"\\[\]]+|["[\]]/suy)
    if (part === undefined) refuse(cursor, 'could not find an ending quote', { start })
    if (part === '[') inClass = true
    if (part === ']') inClass = false
    pattern += part === '\\"' && !inClass ? '"' : part
  }
  return pattern
}

function readRaw(cursor: Cursor): string {
  const start = cursor.at
  const hashes = taken(cursor, /#*/y)!
  if (hashes.length > 255) {
    refuse(cursor, 'a raw string may be opened with at most 255 #', { start, end: cursor.at })
  }
  if (!take(cursor, '"')) refuse(cursor, 'expected " or #')
  const end = cursor.source.indexOf(`"${hashes}`, cursor.at)
  if (end < 0) refuse(cursor, 'could not find an ending quote', { start })
  const raw = cursor.source.slice(cursor.at, end)
  cursor.at = end + 1 + hashes.length
  return raw
}

function readHexBytes(cursor: Cursor): string {
  let value = readHexByte(cursor, 'expected a string, or bytes in hexadecimal')
  if (!isParted(cursor))
    refuse(cursor, 'expected :, - or . and another byte', { end: cursor.at + 1 })
  do value += readHexByte(cursor, 'expected a byte as two hexadecimal digits')
  while (isParted(cursor))
  return value
}

function readHexByte(cursor: Cursor, reason: string): string {
  const start = cursor.at
  const digits = taken(cursor, /.{1,2}/suy) ?? ''
  if (!/^[0-9a-f]{2}$/i.test(digits)) refuse(cursor, reason, { start, end: cursor.at })
  return String.fromCharCode(Number.parseInt(digits, 16))
}

function isParted(cursor: Cursor): boolean {
  return taken(cursor, /[:.-]/y) !== undefined
}
