import { chosen, type FlatSchema, flat } from './schema.ts'
import type { ImportSource, Located } from './source.ts'
import { ownName } from './together.ts'
import { violated } from './violated.ts'

/** What takes more steps is not known: choices may be among choices. */
const mostSteps = 2_000

/** Schemas as they were put together, by where they stand: the same come again and again. */
const known = new WeakMap<ImportSource, Map<string, FlatSchema>>()

function flatAt(source: ImportSource, at: Located): FlatSchema {
  if (at.also !== undefined) return flat(source, at)
  const all = known.get(source) ?? new Map<string, FlatSchema>()
  known.set(source, all)
  const found = all.get(at.pointer) ?? flat(source, at)
  all.set(at.pointer, found)
  return found
}

/**
 * Whether a schema may take a value: false only where it surely does not. Of formats nobody knows
 * whether a service heeds them.
 */
export function mayTake(
  source: ImportSource,
  schema: FlatSchema,
  value: unknown,
  spent = { steps: 0 }
): boolean {
  if (++spent.steps > mostSteps) return true
  if (violated(value, schema).some((name) => name !== 'an endless pattern')) return false
  const { choices, properties, items } = schema
  const ofOne = choices.map((one) => () => chosen(source, schema, one))
  if (choices.length > 0 && !ofOne.some((one) => mayTake(source, one(), value, spent))) return false
  const within = (at: Located, inner: unknown) => {
    const own = flatAt(source, at)
    const { [ownName]: called } = own.keywords
    return (!called || called.value === inner) && mayTake(source, own, inner, spent)
  }
  if (Array.isArray(value)) return !items || value.every((one) => within(items, one))
  if (value === null || typeof value !== 'object') return true
  const isOfAnswers = (at: Located | undefined) =>
    at !== undefined && flatAt(source, at).keywords.readOnly?.value === true
  const lacks = Object.keys(schema.required).some(
    (name) => !Object.hasOwn(value, name) && !isOfAnswers(properties[name])
  )
  const isClosed = schema.additional?.value === false && !schema.isPartial
  return (
    !lacks &&
    Object.entries(value).every(([name, inner]) => {
      const { [name]: at } = properties
      return at === undefined ? !isClosed : within(at, inner)
    })
  )
}

/** Whether just one of the alternatives of a choice has to hold. */
export const isOneOf = ({ choices }: FlatSchema): boolean =>
  choices[0]?.pointer.split('/').at(-2) === 'oneOf'
