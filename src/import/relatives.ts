import { placeBelow } from '../scenario/place.ts'
import type { Parameter } from './parameters.ts'
import { type FlatSchema, flat } from './schema.ts'
import type { ImportSource } from './source.ts'

/** So many others are asked with one that is turned down. */
const mostRelatives = 4

/** What a schema is of, where one of it is more than another; undefined where none is. */
function orderOf({ types, keywords }: FlatSchema): string | undefined {
  if (types.includes('integer') || types.includes('number')) return 'number'
  const { format } = keywords
  return ['date', 'date-time'].includes(format?.value) ? String(format!.value) : undefined
}

const wordsOf = (name: string): string[] =>
  name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, ' ')
    .toLowerCase()
    .match(/[a-z]+/g) ?? []

/** How many words of a name come in another one: `minPrice` and `maxPrice` have one. */
function shared(name: string, other: string): number {
  const words = wordsOf(other)
  return wordsOf(name).filter((word) => words.includes(word)).length
}

/** A field or parameter by its name and place, which another may have to go with. */
export type Relative = { name: string; schema: FlatSchema; at: string; example?: unknown }

type Named = Pick<Relative, 'name' | 'schema'>

/** The texts that a schema lists. */
function listedIn({ keywords }: FlatSchema): string[] {
  const listed: unknown = keywords.enum?.value
  return Array.isArray(listed) ? listed.filter((one) => typeof one === 'string') : []
}

/**
 * The places of what is called as one of the kinds that a value may be of, and of what lists some
 * of the same, from which it may have to differ: where one goes, and where it comes from.
 */
function kinds<One extends Named>(name: string, schema: FlatSchema, others: readonly One[]): One[] {
  const texts = listedIn(schema)
  if (texts.length === 0) return []
  const listed = new Set(texts)
  const isKind = (other: Named) => texts.some((text) => shared(other.name, text) > 0)
  const isAlike = (other: Named) => listedIn(other.schema).some((one) => listed.has(one))
  return others
    .filter((one) => one.name !== name && (isKind(one) || isAlike(one)))
    .slice(0, mostRelatives)
}

/** The places among others of what a value may have to be less than, or more: most alike first. */
function relatives<One extends Named>(
  name: string,
  schema: FlatSchema,
  others: readonly One[]
): One[] {
  const order = orderOf(schema)
  if (order === undefined) return kinds(name, schema, others)
  return others
    .filter((one) => one.name !== name && orderOf(one.schema) === order)
    .filter(({ schema: { keywords } }) => keywords.readOnly?.value !== true)
    .toSorted((one, other) => shared(name, other.name) - shared(name, one.name))
    .slice(0, mostRelatives)
}

/** The fields of an object, put together once: each of them is held against all. */
const fieldsOf = new WeakMap<object, readonly Named[]>()

/** The places of other fields of an object that one may have to be related to. */
export function relativesIn(
  source: ImportSource,
  { properties }: FlatSchema,
  { field, schema, at }: { field: string; schema: FlatSchema; at: string }
): Relative[] {
  const fields =
    fieldsOf.get(properties) ??
    Object.entries(properties).map(([name, one]) => ({ name, schema: flat(source, one) }))
  fieldsOf.set(properties, fields)
  return relatives(field, schema, fields).map((one) => ({ ...one, at: placeBelow(at, one.name) }))
}

/** The same of a parameter of a query, or of a path, among the others there. */
export function relativesAmong(
  parameters: readonly Parameter[],
  { name, in: place, schema }: Parameter
): Relative[] {
  if (place !== 'query' && place !== 'path') return []
  const others = parameters
    .filter((one) => one.in === place && one.odd === undefined)
    .map((one) => ({ ...one, at: placeBelow(place, one.name) }))
  return relatives(name, schema, others)
}
