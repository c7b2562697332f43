import { type Address, type AddressRange, networkRange, parseAddress, widthOf } from './address.ts'
import { type Cursor, skipSpace } from './cursor.ts'
import { expect, isNext, refuse, take, taken } from './scanner.ts'
import { readBytes } from './string.ts'
import type { Literal, Member } from './syntax.ts'

// What a literal means is decided by the type it is compared with: `12:34` is two bytes next to a
// string and the beginning of an address next to an address. So there is one reader for each type.

/** A literal that a value of one type can be compared with. */
export function readLiteral(cursor: Cursor, type: Literal['type']): Literal {
  if (type === 'Bytes') return { kind: 'literal', type, value: readBytes(cursor) }
  if (type === 'Int') return { kind: 'literal', type, value: readInteger(cursor) }
  return { kind: 'literal', type, value: readAddress(cursor) }
}

/** A set in braces, its elements of one type and parted by white space. */
export function readMembers(cursor: Cursor, type: Literal['type']): Member[] {
  expect(cursor, '{')
  const members: Member[] = []
  skipSpace(cursor)
  while (!take(cursor, '}')) {
    members.push(readMember(cursor, type))
    skipSpace(cursor)
  }
  return members
}

function readMember(cursor: Cursor, type: Literal['type']): Member {
  if (type === 'Bytes') return { type, value: readBytes(cursor) }
  return type === 'Int' ? readIntegers(cursor) : readAddresses(cursor)
}

/** A whole number of 64 bits: decimal, `0x` hexadecimal or `0` octal. */
export function readInteger(cursor: Cursor): bigint {
  const radix = take(cursor, '0x') ? 16 : isNext(cursor, '0') ? 8 : 10
  const start = cursor.at
  const isNegative = radix === 10 && take(cursor, '-')
  // Digits of any radix are taken first, so that `08` and `1f` are wrong as a whole.
  const digits = taken(cursor, /[0-9a-f]+/iy)
  if (digits === undefined) refuse(cursor, 'expected digit')
  const span = { start, end: cursor.at }
  const { prefix, allowed } = radixes[radix]
  if (!allowed.test(digits)) refuse(cursor, `invalid digit in a number of radix ${radix}`, span)
  const value = BigInt(prefix + digits) * (isNegative ? -1n : 1n)
  if (value !== BigInt.asIntN(64, value)) refuse(cursor, 'number does not fit in 64 bits', span)
  return value
}

const radixes = {
  8: { prefix: '0o', allowed: /^[0-7]+$/ },
  10: { prefix: '', allowed: /^[0-9]+$/ },
  16: { prefix: '0x', allowed: /^[0-9a-f]+$/i }
}

function readIntegers(cursor: Cursor): Member {
  const start = cursor.at
  const first = readInteger(cursor)
  const last = take(cursor, '..') ? readInteger(cursor) : first
  if (last < first) refuse(cursor, 'the range ends before it begins', { start, end: cursor.at })
  return { type: 'Int', first, last }
}

function readAddress(cursor: Cursor): Address {
  const start = cursor.at
  const text = readAddressText(cursor)
  return addressOf(cursor, { text, start })
}

function readAddressText(cursor: Cursor): string {
  const text = taken(cursor, /[0-9a-f:./]+/iy)
  if (text === undefined) refuse(cursor, 'expected an IP address')
  return text
}

/** A part of the source, and where it begins. */
type Written = { readonly text: string; readonly start: number }

function addressOf(cursor: Cursor, { text, start }: Written): Address {
  const address = parseAddress(text)
  return address ?? refuse(cursor, 'invalid IP address', { start, end: start + text.length })
}

function readAddresses(cursor: Cursor): Member {
  const start = cursor.at
  const text = readAddressText(cursor)
  if (text.includes('..')) return { type: 'Ip', ...rangeOf(cursor, { text, start }) }
  if (text.includes('/')) return { type: 'Ip', ...networkOf(cursor, { text, start }) }
  const address = addressOf(cursor, { text, start })
  return { type: 'Ip', first: address, last: address }
}

function rangeOf(cursor: Cursor, { text, start }: Written): AddressRange {
  const dots = text.indexOf('..')
  const first = addressOf(cursor, { text: text.slice(0, dots), start })
  const last = addressOf(cursor, { text: text.slice(dots + 2), start: start + dots + 2 })
  const span = { start, end: cursor.at }
  if (first.family !== last.family) refuse(cursor, 'the range mixes families', span)
  if (last.bits < first.bits) refuse(cursor, 'the range ends before it begins', span)
  return { first, last }
}

function networkOf(cursor: Cursor, { text, start }: Written): AddressRange {
  const slash = text.indexOf('/')
  const address = addressOf(cursor, { text: text.slice(0, slash), start })
  const prefix = text.slice(slash + 1)
  const width = widthOf(address.family)
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > width) {
    const reason = `expected a network length of at most ${width}`
    refuse(cursor, reason, { start: start + slash + 1, end: cursor.at })
  }
  const network = networkRange(address, Number(prefix))
  if (network.first.bits !== address.bits) {
    const reason = 'the address has bits set outside its network'
    refuse(cursor, reason, { start, end: start + slash })
  }
  return network
}
