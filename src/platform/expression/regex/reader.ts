import { refuse, type Scanner, taken } from '../scanner.ts'
import { caseless, type Mode, type SymbolSet } from './symbol.ts'

/** Where reading has got to in a regular expression, and what holds there. */
export type Reader = Scanner & {
  mode: Mode
  flags: Flags
  /** How many groups have been opened that capture what they match. */
  captures: number
  readonly names: Set<string>
  /** How many groups, classes and repeats are open around it. */
  depth: number
}

/** Flags by the letter that turns them on; `u` is the mode. */
export type Flags = Readonly<Record<'i' | 'm' | 's' | 'U' | 'x', boolean>>

/** How deep groups, classes and repeats may be nested. */
export const nestingLimit = 250

/** A reader at the beginning of a pattern. */
export function reader(source: string): Reader {
  const flags = { i: false, m: false, s: false, U: false, x: false }
  return { source, at: 0, mode: 'bytes', flags, captures: 0, names: new Set(), depth: 0 }
}

/** Takes one character, or nothing at the end. */
export function takeCharacter(reader: Reader): string | undefined {
  return taken(reader, /./suy)
}

/** Skips the white space and comments that the flag `x` allows between any two parts. */
export function skipGap(reader: Reader): void {
  if (reader.flags.x) taken(reader, /(?:\s|#[^\n]*)*/uy)
}

/** Opens one more level of nesting, or refuses when that is too deep. */
export function deepen(reader: Reader): void {
  reader.depth++
  if (reader.depth > nestingLimit) refuse(reader, `nested deeper than ${nestingLimit} levels`)
}

/** A set as the flag `i` has it at the reader: with the other case of its letters, or as it is. */
export function cased(reader: Reader, set: SymbolSet): SymbolSet {
  return reader.flags.i ? caseless(set, reader.mode) : set
}
