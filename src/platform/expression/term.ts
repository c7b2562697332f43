import { isText } from './bytes.ts'
import { readCall } from './call.ts'
import { type Cursor, skipSpace } from './cursor.ts'
import { functions } from './functions/functions.ts'
import { readInteger } from './literal.ts'
import { expect, isNext, refuse, take, taken } from './scanner.ts'
import { elementOf, isArray, isMap, type Type } from './scheme.ts'
import { readString } from './string.ts'
import type { Call, Field, Index, Term } from './syntax.ts'

/** Reads a field or a call, and the indexes that follow it. */
export function readTerm(cursor: Cursor): Term {
  const { root, type } = readRoot(cursor)
  const indexes: Index[] = []
  let inner = type
  while (isNext(cursor, '[')) {
    const start = cursor.at
    const index = readIndex(cursor)
    const element = isIndexOf(index, inner) ? elementOf(inner) : undefined
    if (!element) refuse(cursor, `cannot be used on type ${inner}`, { start, end: cursor.at })
    indexes.push(index)
    inner = element
  }
  return { kind: 'term', root, indexes, type: inner }
}

function readRoot(cursor: Cursor): { root: Field | Call; type: Type } {
  const start = cursor.at
  const name = readName(cursor)
  if (Object.hasOwn(cursor.scheme, name)) {
    return { root: { kind: 'field', name }, type: cursor.scheme[name]! }
  }
  const called = functions.get(name)
  if (!called) refuse(cursor, 'unknown identifier', { start, end: cursor.at })
  return readCall(cursor, { name, called })
}

/** A name: parts of letters, digits and underscores, joined by dots. */
function readName(cursor: Cursor): string {
  const start = cursor.at
  do {
    if (taken(cursor, /\w+/y) === undefined) refuse(cursor, 'expected identifier character')
  } while (take(cursor, '.'))
  return cursor.source.slice(start, cursor.at)
}

function readIndex(cursor: Cursor): Index {
  expect(cursor, '[')
  skipSpace(cursor)
  const index = readPlace(cursor)
  skipSpace(cursor)
  expect(cursor, ']')
  return index
}

function readPlace(cursor: Cursor): Index {
  if (take(cursor, '*')) return { kind: 'each' }
  const start = cursor.at
  if (isNext(cursor, '"')) {
    const key = readString(cursor)
    if (!isText(key)) refuse(cursor, 'expected a key in UTF-8', { start, end: cursor.at })
    return { kind: 'key', key }
  }
  if (!/[0-9-]/.test(cursor.source[cursor.at] ?? '')) {
    refuse(cursor, 'expected a quoted key, a position or *')
  }
  const position = readInteger(cursor)
  if (position < 0n || position > 0xffff_ffffn) {
    refuse(cursor, 'expected a position from 0 to 4294967295', { start, end: cursor.at })
  }
  return { kind: 'position', position: Number(position) }
}

function isIndexOf({ kind }: Index, type: Type): boolean {
  if (kind === 'position') return isArray(type)
  return kind === 'key' ? isMap(type) : isArray(type) || isMap(type)
}
