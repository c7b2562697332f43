import { Refusal } from './failure.ts'
import type { Scheme } from './type.ts'

/** Where reading has got to in a source, and what it may meet there. */
export type Cursor = {
  readonly source: string
  readonly scheme: Scheme
  /** The next character to read, as an offset into the source. */
  at: number
  /** How many brackets, negations and calls are open around it. */
  depth: number
}

/** How deep brackets, negations and calls may be nested. */
export const nestingLimit = 128

/** Stops reading: what is at the cursor, up to the end unless said otherwise, cannot be there. */
export function refuse(cursor: Cursor, reason: string, span: Partial<Span> = {}): never {
  throw new Refusal(reason, { start: cursor.at, end: cursor.source.length, ...span })
}

type Span = { start: number; end: number }

/** Skips the white space of the language; a tab is not part of it. */
export function skipSpace(cursor: Cursor): void {
  taken(cursor, /[ \r\n]*/y)
}

/** Whether the source goes on with a text. */
export function isNext(cursor: Cursor, text: string): boolean {
  return cursor.source.startsWith(text, cursor.at)
}

/** Takes a text if the source goes on with it, and says whether it did. */
export function take(cursor: Cursor, text: string): boolean {
  if (!isNext(cursor, text)) return false
  cursor.at += text.length
  return true
}

/** Takes a text that has to be there. */
export function expect(cursor: Cursor, text: string): void {
  if (!take(cursor, text)) refuse(cursor, `expected literal ${JSON.stringify(text)}`)
}

/** Takes the first of several texts that the source goes on with, or nothing. */
export function takeOne<Text extends string>(
  cursor: Cursor,
  texts: readonly Text[]
): Text | undefined {
  return texts.find((text) => take(cursor, text))
}

/** Takes what a sticky pattern matches at the cursor, or nothing. */
export function taken(cursor: Cursor, pattern: RegExp): string | undefined {
  const found = matchAt(cursor, pattern)
  if (found !== undefined) cursor.at += found.length
  return found
}

/** What a sticky pattern matches at the cursor, which stays where it is. */
export function matchAt(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at
  return pattern.exec(cursor.source)?.[0]
}

/** Reads something one level deeper, or refuses when that is too deep. */
export function nested<Read>(cursor: Cursor, read: () => Read): Read {
  if (cursor.depth === nestingLimit) refuse(cursor, `nested deeper than ${nestingLimit} levels`)
  cursor.depth++
  const result = read()
  cursor.depth--
  return result
}
