import { Buffer } from 'node:buffer'
import { refuse, take, takeMatch } from '../scanner.ts'
import { readBracket } from './bracket.ts'
import { readEscape } from './escape.ts'
import { readFlags } from './flag.ts'
import type { Pattern } from './pattern.ts'
import { cased, deepen, type Reader, reader, skipGap, takeCharacter } from './reader.ts'
import { type Mode, negated, rangeSet, type SymbolSet } from './symbol.ts'

/** A regular expression read: its tree, its symbols, and how many groups capture. */
export type Reading = { readonly pattern: Pattern; readonly mode: Mode; readonly captures: number }

/**
 * Reads a regular expression in the syntax of Rust's `regex`, which has no look-around and no
 * backreferences. Throws a refusal with offsets into the pattern.
 */
export function parsePattern(source: string): Reading {
  const at = reader(source)
  const pattern = readChoice(at)
  if (at.at < source.length) refuse(at, 'unopened group')
  return { pattern, mode: at.mode, captures: at.captures }
}

function readChoice(reader: Reader): Pattern {
  const { flags } = reader
  const parts = [readSequence(reader)]
  while (take(reader, '|')) parts.push(readSequence(reader))
  // Flags that were set inside a group end with it.
  reader.flags = flags
  return parts.length === 1 ? parts[0]! : { kind: 'choice', parts }
}

function readSequence(reader: Reader): Pattern {
  const parts: Pattern[] = []
  skipGap(reader)
  while (reader.at < reader.source.length && !/[|)]/.test(reader.source[reader.at]!)) {
    const part = readPart(reader)
    if (part) parts.push(readRepeats(reader, part))
    skipGap(reader)
  }
  if (parts.length === 0) return { kind: 'empty' }
  return parts.length === 1 ? parts[0]! : { kind: 'sequence', parts }
}

/** Reads one part, or nothing when it only sets flags. */
function readPart(reader: Reader): Pattern | undefined {
  const start = reader.at
  const character = takeCharacter(reader)!
  switch (character) {
    case '(':
      return readGroup(reader)
    case '[':
      return { kind: 'take', set: readBracket(reader) }
    case '.':
      return { kind: 'take', set: anySymbol(reader) }
    case '^':
      return { kind: 'look', look: reader.flags.m ? 'line start' : 'start' }
    case '$':
      return { kind: 'look', look: reader.flags.m ? 'line end' : 'end' }
    case '\\': {
      const escaped = readEscape(reader)
      if (escaped.kind === 'set') return { kind: 'take', set: escaped.set }
      return escaped.kind === 'look' ? escaped : literal(reader, escaped)
    }
    case '*':
    case '+':
    case '?':
    case '{':
      return refuse(reader, 'nothing to repeat', { start })
    default:
      return literal(reader, { code: character.codePointAt(0)!, written: 'plain' })
  }
}

function anySymbol(reader: Reader): SymbolSet {
  return reader.flags.s ? rangeSet(0, 0x10ffff) : negated(rangeSet(10))
}

/** A character; among bytes, one beyond ASCII is the sequence of its UTF-8 bytes. */
function literal(
  reader: Reader,
  { code, written }: { code: number; written: 'plain' | 'byte' }
): Pattern {
  if (reader.mode === 'unicode' || code < 128 || written === 'byte') {
    return { kind: 'take', set: cased(reader, rangeSet(code)) }
  }
  const encoded = [...Buffer.from(String.fromCodePoint(code), 'utf8')]
  return { kind: 'sequence', parts: encoded.map((byte) => ({ kind: 'take', set: rangeSet(byte) })) }
}

function readGroup(reader: Reader): Pattern | undefined {
  const start = reader.at - 1
  if (takeMatch(reader, /\?<?[=!]/y)) refuse(reader, 'look-around is not supported', { start })
  const named = takeMatch(reader, /\?P?<([A-Za-z_][\w.[\]]*)>/y)?.[1]
  if (named !== undefined) return readCapture(reader, { start, name: named })
  if (!take(reader, '?')) return readCapture(reader, { start })
  const outer = reader.flags
  const end = readFlags(reader)
  if (end === ')') return undefined
  const inner = readNested(reader, start)
  reader.flags = outer
  return inner
}

function readCapture(reader: Reader, { start, name }: { start: number; name?: string }): Pattern {
  if (name !== undefined && reader.names.has(name))
    refuse(reader, 'duplicate group name', { start })
  if (name !== undefined) reader.names.add(name)
  const index = ++reader.captures
  return { kind: 'capture', index, inner: readNested(reader, start) }
}

function readNested(reader: Reader, start: number): Pattern {
  deepen(reader)
  const inner = readChoice(reader)
  if (!take(reader, ')')) refuse(reader, 'unclosed group', { start })
  reader.depth--
  return inner
}

/** Wraps a part in the repeats that follow it. */
function readRepeats(reader: Reader, part: Pattern): Pattern {
  let inner = part
  for (let repeat = readCounts(reader); repeat; repeat = readCounts(reader)) {
    // A repeat of a repeat is deeper for good: rare as it is, its depth is not worth giving back.
    if (inner !== part) deepen(reader)
    const greed = take(reader, '?') === reader.flags.U ? 'greedy' : 'lazy'
    inner = { kind: 'repeat', inner, ...repeat, greed }
  }
  return inner
}

function readCounts(reader: Reader): { min: number; max: number } | undefined {
  skipGap(reader)
  if (take(reader, '*')) return { min: 0, max: Number.POSITIVE_INFINITY }
  if (take(reader, '+')) return { min: 1, max: Number.POSITIVE_INFINITY }
  if (take(reader, '?')) return { min: 0, max: 1 }
  const start = reader.at
  if (!take(reader, '{')) return undefined
  const counts = takeMatch(reader, /(\d{1,9})(,?)(\d{0,9})\}/y)
  if (!counts || (counts[2] === '' && counts[3] !== '')) {
    refuse(reader, 'invalid repetition count', { start })
  }
  const min = Number(counts[1])
  if (counts[2] === '') return { min, max: min }
  const max = counts[3] === '' ? Number.POSITIVE_INFINITY : Number(counts[3])
  if (max < min) refuse(reader, 'a repetition has to end after it begins', { start })
  return { min, max }
}
