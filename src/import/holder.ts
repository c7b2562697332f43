import { absent, placeBelow } from '../scenario/place.ts'
import { isDivided } from './choices.ts'
import type { Constraint } from './how-asked.ts'
import { isOneOf, mayTake } from './may-take.ts'
import type { SampleValue } from './sample.ts'
import { chosen, type FlatSchema } from './schema.ts'
import type { ImportSource } from './source.ts'

type Fields = Record<string, unknown>

type Walk = { source: ImportSource; sampler: (schema: FlatSchema) => SampleValue }

/** What holds a field: an object as it usually is, and the field's name. */
type Held = { usual: Fields; field: string }

const isObject = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * Alternatives that say but which fields go together, and whether those of a value do; undefined
 * where there are none.
 */
function alternativesIn(source: ImportSource, schema: FlatSchema) {
  if (schema.choices.length === 0 || isDivided(source, schema)) return
  const all = schema.choices.map((choice) => chosen(source, schema, choice))
  const isTaken = (value: unknown) => {
    const taking = all.filter((one) => mayTake(source, one, value)).length
    return taking === 1 || (taking > 1 && !isOneOf(schema))
  }
  return { all, isTaken }
}

/**
 * The object that a field is asked about in: as it usually is, or, where alternatives say which
 * fields go together, one of an alternative that has it; undefined where none does.
 */
export function holderOf(
  { source, sampler }: Walk,
  schema: FlatSchema,
  { usual, field }: Held
): Fields | undefined {
  const found = alternativesIn(source, schema)
  if (found === undefined || Object.hasOwn(usual, field)) return usual
  const { all, isTaken } = found
  const samples = all.flatMap((one) => {
    const value = sampler({ ...one, ...requiring(one, field) })?.value
    return isObject(value) && Object.hasOwn(value, field) ? [value] : []
  })
  const isBeside = (one: Fields) => isTaken({ ...usual, [field]: one[field] })
  return samples.some(isBeside) ? usual : samples.find(isTaken)
}

/** That a field is required. */
const requiring = ({ required, pointer }: FlatSchema, field: string) => ({
  required: { ...required, [field]: required[field] ?? { value: true, pointer } }
})

/** What of an object at a place is other than usual, but for one field of it, by place. */
export function changesTo(
  there: Fields,
  { usual, field, at }: Held & { at: string }
): Record<string, unknown> {
  if (there === usual) return {}
  const names = new Set([...Object.keys(usual), ...Object.keys(there)])
  names.delete(field)
  return Object.fromEntries(
    [...names].flatMap((name): [string, unknown][] => {
      const value = Object.hasOwn(there, name) ? there[name] : absent
      const isSame = Object.hasOwn(usual, name) && usual[name] === value
      return isSame ? [] : [[placeBelow(at, name), value]]
    })
  )
}

/** That fields go together as alternatives say: those of each, and neither none nor too many. */
export function goingTogether(
  { source, sampler }: Walk,
  { schema, at, isText, name }: { schema: FlatSchema; at: string; isText: boolean; name: string }
): Constraint | undefined {
  const found = alternativesIn(source, schema)
  const isPart = isText && at !== 'body'
  if (found === undefined || isPart || schema.isPartial) return
  const { all, isTaken } = found
  const samples = all.flatMap((one) => [sampler(one)?.value].filter(isObject))
  const accepted = samples.filter(isTaken)
  const [first] = accepted
  if (first === undefined) return
  const needed = all.flatMap(({ required }) => Object.keys(required))
  const isNeeded = (field: string) => needed.includes(field) && !(field in schema.required)
  const none = Object.fromEntries(Object.entries(first).filter(([field]) => !isNeeded(field)))
  const refused = [none, Object.assign({}, ...samples)].filter((value) => !isTaken(value))
  const few = isOneOf(schema) ? 'exactly' : 'at least'
  return {
    keyword: 'choice',
    pointer: schema.choices[0]!.pointer.replace(/\/\d+$/, ''),
    documented: `${name} has the fields of ${few} one of ${all.length} alternatives`,
    asked: { form: 'sides', accepted, refused }
  }
}
