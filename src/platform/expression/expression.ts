import type { Cursor } from './cursor.ts'
import { characters, type Failure, failureOf, Refusal } from './failure.ts'
import { requestFields } from './field.ts'
import { readExpression } from './parse.ts'
import type { Scheme } from './scheme.ts'
import type { Expression } from './syntax.ts'

export { type Address, parseAddress } from './address.ts'
export { bytes } from './bytes.ts'
export { compile, type Lists } from './compile.ts'
export { type Failure, message } from './failure.ts'
export { type RequestFacts, requestFields } from './field.ts'
export type { Facts, Scheme, Value } from './scheme.ts'
export type { Expression } from './syntax.ts'

/** An expression read, or why it was refused. */
export type Parsed =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly failure: Failure }

/** What an expression may be. */
export type ParseOptions = {
  /** The names it may use, and their types; those of requests unless given. */
  readonly scheme?: Scheme
  /** How many characters it may have; 4,096 unless given. */
  readonly characterLimit?: number
}

const serviceLimit = 4_096

/** Reads an expression. Whatever the source is, it is accepted or refused with a failure. */
export function parseExpression(source: string, options: ParseOptions = {}): Parsed {
  const { scheme = requestFields, characterLimit = serviceLimit } = options
  if (characters(source) > characterLimit)
    return { ok: false, failure: tooLong(source, characterLimit) }
  const trimmed = source.trimEnd()
  const at = trimmed.length - trimmed.trimStart().length
  const cursor: Cursor = { source: trimmed, scheme, at, depth: 0 }
  try {
    refuseLoneSurrogates(source)
    return { ok: true, expression: readExpression(cursor) }
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, failure: failureOf(error, source) }
    throw error
  }
}

/** The source is not repeated beyond the limit, however long it is. */
function tooLong(source: string, characterLimit: number): Failure {
  const kept = [...source.slice(0, 2 * characterLimit + 2)].slice(0, characterLimit + 1).join('')
  const span = { start: kept.length - 1, end: kept.length }
  return failureOf(new Refusal(`longer than ${characterLimit} characters`, span), kept)
}

/** Half a surrogate pair has no UTF-8, so there are no bytes that it could be compared with. */
function refuseLoneSurrogates(source: string): void {
  const found = /\p{Surrogate}/u.exec(source)
  if (found)
    throw new Refusal('not a Unicode character', { start: found.index, end: found.index + 1 })
}
