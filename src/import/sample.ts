import { placeBelow } from '../scenario/place.ts'
import { countOf, differing, distinctIn } from './distinct.ts'
import { isOneOf, mayTake } from './may-take.ts'
import { numberFor } from './numbers.ts'
import { chosen, type FlatSchema, flat } from './schema.ts'
import type { ImportSource } from './source.ts'
import { textFor } from './strings.ts'
import { ownName } from './together.ts'
import { isAtEnd, isGood, kindOf } from './violated.ts'

/** A value that a schema takes; undefined where none is found. */
export type SampleValue = { value: unknown } | undefined

/** The one value of a sample, or none. */
export const given = (sample: SampleValue): unknown[] =>
  sample === undefined ? [] : [sample.value]

const isNumber = (value: unknown): value is number => typeof value === 'number'

/** Values that the document names as examples of a schema, best first. */
function examplesIn({ keywords }: FlatSchema): unknown[] {
  const { example, examples, [ownName]: name } = keywords
  const listed = Array.isArray(examples?.value) ? examples.value : []
  return [...[name, example].flatMap((one) => (one ? [one.value] : [])), ...listed]
}

/**
 * What a search for a sample knows: schemas that it is within are not gone into again. With
 * `lacking`, what is required and not found is named there and left out.
 */
type Finder = {
  source: ImportSource
  open: Set<string>
  steps: number
  at: string
  lacking?: string[]
}

/** What takes more steps is given up: choices among choices may come to more than can be tried. */
const mostSteps = 2_000

/** What comes to more is not sent: of lists in lists each has three of the next. */
const mostValues = 10_000

/** Finds values that schemas take; what they hold is as small as it can be. */
export function createSampler(
  source: ImportSource
): (schema: FlatSchema, named?: unknown) => SampleValue {
  return (schema, named) => sample({ source, open: new Set(), steps: 0, at: '' }, schema, named)
}

/**
 * The sample of what stands at a place, without that which is required and of which none is found;
 * and the places of that, of which one may be the place itself.
 */
export function partialSample(
  source: ImportSource,
  { schema, named, at }: { schema: FlatSchema; named?: unknown; at: string }
): { sample: SampleValue; lacking: string[] } {
  const lacking: string[] = []
  const found = sample({ source, open: new Set(), steps: 0, at, lacking }, schema, named)
  return { sample: found, lacking: found === undefined ? [at] : lacking }
}

function sample(finder: Finder, schema: FlatSchema, named?: unknown): SampleValue {
  const { open } = finder
  if (++finder.steps > mostSteps) return undefined
  const { const: fixed, enum: values } = schema.keywords
  if (fixed) return { value: fixed.value }
  const kind = kindOf(schema)
  if (kind !== 'object' && kind !== 'array') {
    const isNamed = named !== undefined && !(ownName in schema.keywords)
    const given = isNamed ? [named, ...examplesIn(schema)] : examplesIn(schema)
    const { default: usual } = schema.keywords
    const isSample = (one: unknown) => one !== null && isGood(one, schema)
    const isInner = (one: unknown) => isSample(one) && !isAtEnd(one, schema)
    const inner = [...given, ...(usual ? [usual.value] : [])].find(isInner)
    // An example is taken before what is made up, even where it is at an end; a default is not.
    const found = inner ?? given.find(isSample)
    if (found !== undefined) return { value: found }
    if (usual && isSample(usual.value) && innerFor(schema) === undefined) {
      return { value: usual.value }
    }
  }
  if (Array.isArray(values?.value)) {
    return defined(values.value.find((one: unknown) => one !== null) ?? values.value[0])
  }
  if (open.has(schema.pointer) || open.size > 30) return undefined
  open.add(schema.pointer)
  try {
    if (schema.choices.length === 0) return made(finder, schema, named)
    return choiceFor(finder, schema, named)
  } finally {
    open.delete(schema.pointer)
  }
}

/** A value of the first alternative that has one; of exactly one, where no other may take it. */
function choiceFor(finder: Finder, schema: FlatSchema, named: unknown): SampleValue {
  const { source } = finder
  const all = schema.choices.map((choice) => chosen(source, schema, choice))
  let first: SampleValue
  for (const own of all) {
    const found = sample(finder, own, named)
    const isOther = (one: FlatSchema) => one !== own && mayTake(source, one, found!.value)
    if (found !== undefined && !(isOneOf(schema) && all.some(isOther))) return found
    first ??= found
  }
  return first
}

function made(finder: Finder, schema: FlatSchema, named: unknown): SampleValue {
  const kind = kindOf(schema)
  if (kind === 'object') return objectFor(finder, schema, named)
  if (kind === 'array') return listFor(finder, schema)
  if (kind === 'boolean') return { value: true }
  if (kind === 'null') return { value: null }
  return defined(madeFor(schema))
}

/** A number or a text that is made up. */
function madeFor(schema: FlatSchema): unknown {
  const kind = kindOf(schema)
  const isNumeric = kind === 'integer' || kind === 'number'
  return isNumeric ? numberFor(schema, kind === 'integer') : textFor(schema)
}

/** A number or a text that is made up and at no end; undefined where there is none. */
export function innerFor(schema: FlatSchema): SampleValue {
  const kind = kindOf(schema)
  if (!['integer', 'number', 'string'].includes(kind ?? '')) return
  const value = madeFor(schema)
  return value === undefined || isAtEnd(value, schema) ? undefined : { value }
}

/** What members of an object are that it has no names for; undefined where they may be anything. */
const memberOf = ({ additional }: FlatSchema) =>
  typeof additional?.value === 'object' ? additional : undefined

function objectFor(finder: Finder, schema: FlatSchema, named: any): SampleValue {
  const found = new Map<string, unknown>()
  const least = atLeast(schema, 'minProperties')
  const isRequired = (name: string) => name in schema.required
  const optional = Object.keys(schema.properties).filter((name) => !isRequired(name))
  for (const name of [...Object.keys(schema.required), ...optional]) {
    if (!isRequired(name) && found.size >= least) break
    const at = schema.properties[name] ?? memberOf(schema)
    const inner = at && flat(finder.source, at)
    if (inner?.keywords.readOnly?.value === true) continue
    const example = Object.hasOwn(Object(named), name) ? named[name] : undefined
    const { at: place, lacking } = finder
    const before = lacking?.length ?? 0
    const own = placeBelow(place, name)
    finder.at = own
    const one = inner === undefined ? { value: 'x' } : sample(finder, inner, example)
    finder.at = place
    if (!isRequired(name) && lacking !== undefined && lacking.length > before) {
      lacking.length = before
      continue
    }
    if (one !== undefined) found.set(name, one.value)
    else if (!isRequired(name)) continue
    else if (lacking === undefined) return undefined
    else lacking.push(own)
  }
  const isOpen = schema.additional?.value !== false
  if (found.size >= least) return { value: Object.fromEntries(found) }
  if (!isOpen) return undefined
  const at = memberOf(schema)
  const strict = { ...finder, lacking: undefined }
  const member = at === undefined ? { value: 'x' } : sample(strict, flat(finder.source, at))
  if (member === undefined) return undefined
  while (found.size < Math.min(least, 100)) found.set(`x${found.size}`, member.value)
  return { value: Object.fromEntries(found) }
}

const atLeast = (schema: FlatSchema, name: string): number => {
  const { [name]: least } = schema.keywords
  return isNumber(least?.value) ? least.value : 0
}

function listFor(finder: Finder, schema: FlatSchema): SampleValue {
  const least = atLeast(schema, 'minItems')
  const most = schema.keywords.maxItems ? atLeast(schema, 'maxItems') : Infinity
  const isUnique = schema.keywords.uniqueItems?.value === true
  // Alone, an item can be any value: beside another it could be that one's.
  const isAlone = least === 0 || (isUnique && least === 1)
  const count = Math.min(isAlone ? 1 : least < most ? least + 1 : least, most)
  const inner = schema.items && flat(finder.source, schema.items)
  // What an item lacks is lacking of the list.
  const strict = { ...finder, lacking: undefined }
  const item = inner === undefined ? { value: 'x' } : sample(strict, inner)
  if (item === undefined) return least === 0 ? { value: [] } : undefined
  if (count > 1_000 || count * sizeOf(item.value) > mostValues) {
    return least === 0 ? { value: [] } : undefined
  }
  if (!isUnique || count < 2) {
    return { value: Array.from({ length: count }, () => item.value) }
  }
  const of = inner && distinctIn(inner, { source: finder.source, item: item.value })
  return of === undefined || countOf(of) < count
    ? undefined
    : { value: Array.from({ length: count }, (_, index) => differing(of, index)) }
}

const sizes = new WeakMap<object, number>()

/** How many values a value comes to, each as often as it is there. */
function sizeOf(value: unknown): number {
  if (value === null || typeof value !== 'object') return 1
  const size = sizes.get(value) ?? Object.values(value).reduce((sum, one) => sum + sizeOf(one), 1)
  sizes.set(value, size)
  return size
}

const defined = (value: unknown): SampleValue => (value === undefined ? undefined : { value })
