import { refuse, take, takeMatch } from '../scanner.ts'
import { readEscape } from './escape.ts'
import { cased, deepen, type Reader, skipGap, takeCharacter } from './reader.ts'
import {
  combined,
  negated,
  posixClass,
  posixSet,
  rangeSet,
  type SymbolSet,
  union
} from './symbol.ts'

/** Reads a character class whose opening bracket has been taken. */
export function readBracket(reader: Reader): SymbolSet {
  const start = reader.at - 1
  deepen(reader)
  skipGap(reader)
  const isNegated = take(reader, '^')
  let items = readLeading(reader)
  let pending: ((right: SymbolSet) => SymbolSet) | undefined
  while (true) {
    skipGap(reader)
    if (reader.at === reader.source.length) refuse(reader, 'unclosed character class', { start })
    const operator = takeMatch(reader, /&&|--|~~/y)?.[0] as '&&' | '--' | '~~' | undefined
    if (operator === undefined && !take(reader, ']')) {
      items.push(readItem(reader))
      continue
    }
    const right = union(items)
    const left = pending ? pending(right) : right
    if (operator === undefined) {
      reader.depth--
      return isNegated ? negated(left) : left
    }
    pending = (right) => combined(operator, left, right)
    items = []
  }
}

/** Dashes, and then a closing bracket, stand for themselves where a class begins. */
function readLeading(reader: Reader): SymbolSet[] {
  const items: SymbolSet[] = []
  skipGap(reader)
  while (take(reader, '-')) {
    items.push(rangeSet(0x2d))
    skipGap(reader)
  }
  if (items.length === 0 && take(reader, ']')) items.push(rangeSet(0x5d))
  return items
}

function readItem(reader: Reader): SymbolSet {
  const named = takeMatch(reader, posixClass)
  if (named) {
    const set = cased(reader, posixSet(named[2]!))
    return named[1] ? negated(set) : set
  }
  if (take(reader, '[')) return readBracket(reader)
  const start = reader.at
  const first = readEnd(reader)
  skipGap(reader)
  // A dash before the closing bracket, or before another dash, is no range.
  const isRange = takeMatch(reader, reader.flags.x ? /-(?!\s*[\]-])/y : /-(?![\]-])/y)
  if (!isRange) return typeof first === 'number' ? cased(reader, rangeSet(first)) : first
  skipGap(reader)
  const last = readEnd(reader)
  if (typeof first !== 'number' || typeof last !== 'number') {
    refuse(reader, 'a range has to be from one character to another', { start })
  }
  if (last < first) refuse(reader, 'a range has to end after it begins', { start })
  return cased(reader, rangeSet(first, last))
}

/** One character as its symbol, or the set that an escape stands for. */
function readEnd(reader: Reader): number | SymbolSet {
  const start = reader.at
  if (!take(reader, '\\')) {
    const character = takeCharacter(reader)
    if (character === undefined) refuse(reader, 'unclosed character class')
    return symbolOf(reader, { code: character.codePointAt(0)!, isByte: false, start })
  }
  const escaped = readEscape(reader)
  if (escaped.kind === 'look') refuse(reader, 'not possible in a character class', { start })
  if (escaped.kind === 'set') return escaped.set
  return symbolOf(reader, { code: escaped.code, isByte: escaped.written === 'byte', start })
}

function symbolOf(
  reader: Reader,
  { code, isByte, start }: { code: number; isByte: boolean; start: number }
): number {
  if (reader.mode === 'bytes' && code > 127 && !isByte) {
    refuse(reader, 'characters beyond ASCII in a class need the flag u', { start })
  }
  return code
}
