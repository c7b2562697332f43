import { refuse, takeMatch } from '../scanner.ts'
import type { Look } from './pattern.ts'
import { cased, type Reader, takeCharacter } from './reader.ts'
import { negated, perlSet, propertySet, type SymbolSet } from './symbol.ts'

/** What a backslash and the characters after it stand for. */
export type Escape =
  /** One character; `byte` when written as `\xHH`, which is a byte where symbols are bytes. */
  | { readonly kind: 'character'; readonly code: number; readonly written: 'plain' | 'byte' }
  | { readonly kind: 'set'; readonly set: SymbolSet }
  | { readonly kind: 'look'; readonly look: Look }

const controls: Record<string, number> = { a: 7, f: 12, n: 10, r: 13, t: 9, v: 11 }

const looks: Record<string, Look> = {
  A: 'start',
  z: 'end',
  B: 'no word edge',
  '<': 'word start',
  '>': 'word end'
}

const edges: Record<string, Look> = {
  start: 'word start',
  end: 'word end',
  'start-half': 'half word start',
  'end-half': 'half word end'
}

/** Reads an escape whose backslash has been taken. */
export function readEscape(reader: Reader): Escape {
  const start = reader.at - 1
  const letter = takeCharacter(reader)
  if (letter === undefined) refuse(reader, 'incomplete escape sequence', { start })
  if (Object.hasOwn(controls, letter)) return character(controls[letter]!)
  if (Object.hasOwn(looks, letter)) return { kind: 'look', look: looks[letter]! }
  if (letter === 'b') return { kind: 'look', look: readEdge(reader, start) }
  if ('xuU'.includes(letter)) return readCode(reader, { letter, start })
  if ('dswDSW'.includes(letter)) return { kind: 'set', set: readPerl(reader, letter) }
  if ('pP'.includes(letter)) return { kind: 'set', set: readProperty(reader, { letter, start }) }
  if (/[1-9]/.test(letter)) refuse(reader, 'backreferences are not supported', { start })
  if (!/[\0-\x7f]/.test(letter) || /[0-9A-Za-z]/.test(letter)) {
    refuse(reader, 'unrecognised escape sequence', { start })
  }
  return character(letter.charCodeAt(0))
}

function character(code: number): Escape {
  return { kind: 'character', code, written: 'plain' }
}

function readEdge(reader: Reader, start: number): Look {
  const name = takeMatch(reader, /\{([a-z-]*)\}/y)?.[1]
  if (name === undefined) return 'word edge'
  return Object.hasOwn(edges, name) ? edges[name]! : refuse(reader, 'unknown word edge', { start })
}

function readCode(reader: Reader, { letter, start }: { letter: string; start: number }): Escape {
  const braced = takeMatch(reader, /\{([0-9a-f]{1,8})\}/iy)?.[1]
  const length = { x: 2, u: 4, U: 8 }[letter]!
  const digits = braced ?? takeMatch(reader, new RegExp(`[0-9a-fA-F]{${length}}`, 'y'))?.[0]
  if (digits === undefined) refuse(reader, 'invalid hexadecimal escape', { start })
  const code = Number.parseInt(digits, 16)
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
    refuse(reader, 'not a Unicode character', { start })
  }
  const isByte = letter === 'x' && braced === undefined
  return { kind: 'character', code, written: isByte ? 'byte' : 'plain' }
}

function readPerl(reader: Reader, letter: string): SymbolSet {
  const set = perlSet(letter.toLowerCase() as 'd' | 's' | 'w', reader.mode)
  return letter === letter.toLowerCase() ? set : negated(set)
}

function readProperty(
  reader: Reader,
  { letter, start }: { letter: string; start: number }
): SymbolSet {
  if (reader.mode === 'bytes') refuse(reader, 'Unicode properties need the flag u', { start })
  const found = takeMatch(reader, /\{(\^?)([^}]*)\}|([A-Za-z])/y)
  const set = propertySet(found?.[2] ?? found?.[3] ?? '')
  if (!set) refuse(reader, 'unknown Unicode property', { start })
  const isNegated = (letter === 'P') !== (found?.[1] === '^')
  return isNegated ? negated(cased(reader, set)) : cased(reader, set)
}
