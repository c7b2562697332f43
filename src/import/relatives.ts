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

type Named = { name: string; schema: FlatSchema; at: string }

/** The places among others of what a value may have to be less than, or more: most alike first. */
function relatives(name: string, schema: FlatSchema, others: readonly Named[]): string[] {
  const order = orderOf(schema)
  if (order === undefined) return []
  return others
    .filter((one) => one.name !== name && orderOf(one.schema) === order)
    .filter(({ schema: { keywords } }) => keywords.readOnly?.value !== true)
    .toSorted((one, other) => shared(name, other.name) - shared(name, one.name))
    .slice(0, mostRelatives)
    .map(({ at }) => at)
}

/** The places of other numbers, or dates, in an object that a field may have to be related to. */
export function relativesIn(
  source: ImportSource,
  { properties }: FlatSchema,
  { field, schema, at }: { field: string; schema: FlatSchema; at: string }
): string[] {
  const others = Object.entries(properties).map(([name, one]) => ({
    ...{ name, schema: flat(source, one), at: placeBelow(at, name) }
  }))
  return relatives(field, schema, others)
}

/** The same of a parameter of a query among the others. */
export function relativesAmong(
  parameters: readonly Parameter[],
  { name, in: place, schema }: Parameter
): string[] {
  if (place !== 'query') return []
  const others = parameters
    .filter((one) => one.in === place && one.odd === undefined)
    .map((one) => ({ name: one.name, schema: one.schema, at: placeBelow(place, one.name) }))
  return relatives(name, schema, others)
}
