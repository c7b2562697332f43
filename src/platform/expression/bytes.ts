import { Buffer, isAscii, isUtf8 } from 'node:buffer'

// The language compares bytes, and JavaScript compares strings fastest. A byte string has one
// character for each byte, U+0000 to U+00FF, so `===`, `<`, `includes` and `length` are byte-wise.
// It is also how Node hands over header values and URLs.

/** The byte string of a text: its UTF-8 bytes, one character each. Undoes `text` exactly. */
export function bytes(text: string): string {
  const encoded = Buffer.from(text, 'utf8')
  if (encoded.length === text.length) return text
  // Buffer writes a lone surrogate as U+FFFD; here it is a byte that `text` could not read.
  if (text.isWellFormed()) return encoded.toString('latin1')
  return text.replace(/[\uDC80-\uDCFF]|[^\uDC80-\uDCFF]+/gu, (part) =>
    /^[\uDC80-\uDCFF]$/u.test(part)
      ? String.fromCharCode(part.charCodeAt(0) - 0xdc00)
      : Buffer.from(part, 'utf8').toString('latin1')
  )
}

/**
 * The text a byte string spells in UTF-8. A byte that is not part of valid UTF-8 becomes the lone
 * surrogate U+DC00 plus its value, which no text contains, so nothing is lost.
 */
export function text(value: string): string {
  const raw = Buffer.from(value, 'latin1')
  if (isAscii(raw)) return value
  if (isUtf8(raw)) return raw.toString('utf8')
  return value.replace(sequence, (part) =>
    part.length > 1 || part < '\x80'
      ? Buffer.from(part, 'latin1').toString('utf8')
      : String.fromCharCode(0xdc00 + part.charCodeAt(0))
  )
}

/** Whether a byte string is valid UTF-8. */
export function isText(value: string): boolean {
  return isUtf8(Buffer.from(value, 'latin1'))
}

/** Bytes with ASCII capitals made small; all other bytes stay as they are. */
export function lowerAscii(value: string): string {
  if (isAsciiOnly(value)) return value.toLowerCase()
  return value.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase())
}

/** Bytes with small ASCII letters made capitals; all other bytes stay as they are. */
export function upperAscii(value: string): string {
  if (isAsciiOnly(value)) return value.toUpperCase()
  return value.replace(/[a-z]+/g, (small) => small.toUpperCase())
}

function isAsciiOnly(value: string): boolean {
  return !/[\x80-\uffff]/.test(value)
}

// One well-formed UTF-8 sequence (Unicode, table 3-7), a run of ASCII, or any other single byte.
const sequence = new RegExp(
  [
    '[\\x00-\\x7f]+',
    '[\\xc2-\\xdf][\\x80-\\xbf]',
    '\\xe0[\\xa0-\\xbf][\\x80-\\xbf]',
    '\\xed[\\x80-\\x9f][\\x80-\\xbf]',
    '[\\xe1-\\xec\\xee\\xef][\\x80-\\xbf]{2}',
    '\\xf0[\\x90-\\xbf][\\x80-\\xbf]{2}',
    '[\\xf1-\\xf3][\\x80-\\xbf]{3}',
    '\\xf4[\\x80-\\x8f][\\x80-\\xbf]{2}',
    '[^]'
  ].join('|'),
  'g'
)
