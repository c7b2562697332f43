import { refuse, type Scanner, taken } from './scanner.ts'
import type { Scheme } from './scheme.ts'

/** Where reading has got to in an expression, and what it may meet there. */
export type Cursor = Scanner & {
  readonly scheme: Scheme
  /** How many brackets, negations and calls are open around it. */
  depth: number
}

/** How deep brackets, negations and calls may be nested. */
export const nestingLimit = 128

/** Reads something one level deeper, or refuses when that is too deep. */
export function nested<Read>(cursor: Cursor, read: () => Read): Read {
  if (cursor.depth === nestingLimit) refuse(cursor, `nested deeper than ${nestingLimit} levels`)
  cursor.depth++
  const result = read()
  cursor.depth--
  return result
}

/** Skips the white space of the language; a tab is not part of it. */
export function skipSpace(cursor: Cursor): void {
  taken(cursor, /[ \r\n]*/y)
}
