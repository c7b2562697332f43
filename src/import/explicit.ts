import { type RequestParts, valueAt } from '../scenario/place.ts'
import type { HowAsked } from './how-asked.ts'
import { numberFor } from './numbers.ts'
import { innerFor, type SampleValue } from './sample.ts'
import type { FlatSchema } from './schema.ts'
import { textFor } from './strings.ts'
import { isAtEnd, kindOf, violated } from './violated.ts'

/**
 * A value other than that by default, where this is at an end of what is taken, or one of a list,
 * and so would be refused of a service that draws the line one unit off.
 */
export function otherThanDefault(schema: FlatSchema): SampleValue {
  const { default: usual, enum: listed } = schema.keywords
  if (usual === undefined || schema.choices.length > 0) return
  const isListed = Array.isArray(listed?.value)
  if (!isListed && !isAtEnd(usual.value, schema)) return
  const kind = kindOf(schema)
  const isNumeric = kind === 'integer' || kind === 'number'
  const made = isNumeric ? numberFor(schema, kind === 'integer') : textFor(schema)
  const all: unknown[] = isListed ? listed!.value : [made]
  const isOther = (value: unknown) =>
    value !== undefined && value !== null && value !== usual.value && isTaken(value, schema)
  const value = all.find(isOther)
  return value === undefined ? undefined : { value }
}

/**
 * A value that is at no end, in place of one that the document has and that is at one: a service
 * that draws the line one unit off refuses all that is asked with that.
 */
export function otherThanEnd(schema: FlatSchema, value: unknown): SampleValue {
  const isPlain = schema.choices.length === 0 && !schema.keywords.enum && !schema.keywords.const
  if (!isPlain || !isAtEnd(value, schema)) return
  const other = innerFor(schema)
  return other !== undefined && isTaken(other.value, schema) ? other : undefined
}

const isTaken = (value: unknown, schema: FlatSchema) => violated(value, schema).length === 0

/**
 * The same without an example at an end as what is taken, where a value at none is known: who draws
 * that line one unit off falls by the clause about it alone. In the valid request the service says
 * which of them it takes.
 */
export function awayFromEnds(
  valid: Partial<RequestParts>,
  { at, schema, sample }: { at: string; schema: FlatSchema; sample: SampleValue }
): (asked: HowAsked) => HowAsked {
  const isThere = valueAt(valid, at) !== undefined
  if (isThere || sample === undefined || otherThanEnd(schema, sample.value) === undefined) {
    return (asked) => asked
  }
  const isOther = (value: unknown) => value !== sample.value
  return (asked) =>
    asked.form === 'sides' ? { ...asked, accepted: asked.accepted.filter(isOther) } : asked
}
