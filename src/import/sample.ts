import { format } from '@cfworker/json-schema'
import { placeBelow } from '../scenario/place.ts'
import { numberFor, rangeOf } from './numbers.ts'
import { chosen, type FlatSchema, flat, ownName } from './schema.ts'
import type { ImportSource } from './source.ts'
import { formatOf, matches, textFor } from './strings.ts'

/** A value that a schema takes; undefined where none is found. */
export type SampleValue = { value: unknown } | undefined

/** The one value of a sample, or none. */
export const given = (sample: SampleValue): unknown[] =>
  sample === undefined ? [] : [sample.value]

const none = Symbol('none')

const said = (schema: FlatSchema, name: string): any => schema.keywords[name]?.value ?? none

const isNumber = (value: unknown): value is number => typeof value === 'number'

const typeOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** What a schema is about, where it does not say so itself. */
export function kindOf(schema: FlatSchema): string | undefined {
  const [type] = schema.types
  if (type !== undefined) return type
  if (Object.keys(schema.properties).length > 0) return 'object'
  if (schema.items) return 'array'
  const named = Object.keys(schema.keywords)
  if (named.some((name) => ['minLength', 'maxLength', 'pattern'].includes(name))) return 'string'
  if (named.some((name) => /^(exclusive)?(min|max)imum$/i.test(name))) return 'number'
  return undefined
}

/** Whether a value is a word or a number, with nothing in it. */
export const isPlain = (schema: FlatSchema) =>
  !['object', 'array'].includes(kindOf(schema) ?? 'object') && schema.choices.length === 0

const sizes: Record<string, (value: any) => number> = {
  Length: (text) => [...text].length,
  Items: (list) => list.length,
  Properties: (object) => Object.keys(object).length,
  imum: (number) => number
}

/** Which of its own keywords a value is at odds with; what is within it is not looked at. */
export function violated(value: unknown, schema: FlatSchema): string[] {
  const type = typeOf(value)
  const isNull = value === null && schema.isNullable === true
  const isRight = (name: string) =>
    isNull || name === type || (name === 'number' && type === 'integer')
  const wrong = schema.types.length > 0 && !schema.types.some(isRight) ? ['type'] : []
  const sized: Record<string, string> = {
    ...{ string: 'Length', array: 'Items', object: 'Properties', integer: 'imum', number: 'imum' }
  }
  const kind = sized[type]
  const size = kind === undefined ? 0 : sizes[kind]!(value)
  for (const [name, { value: bound }] of Object.entries(schema.keywords)) {
    const isWrong =
      (name === `min${kind}` && size < bound) ||
      (name === `max${kind}` && size > bound) ||
      (kind === 'imum' && name === 'exclusiveMinimum' && size <= bound) ||
      (kind === 'imum' && name === 'exclusiveMaximum' && size >= bound) ||
      (kind === 'imum' &&
        name === 'multipleOf' &&
        Math.abs(size / bound - Math.round(size / bound)) > 1e-9) ||
      (name === 'enum' && !bound.some((one: unknown) => same(one, value))) ||
      (name === 'const' && !same(bound, value)) ||
      (name === 'pattern' && type === 'string' && matches(bound, value as string) === false) ||
      (name === 'uniqueItems' && bound === true && type === 'array' && hasTwins(value as unknown[]))
    if (isWrong) wrong.push(name)
  }
  return isUntold(value, schema) ? [...wrong, 'an endless pattern'] : wrong
}

/** Whether nobody knows if a value is as its pattern says, which is no evidence for either side. */
const isUntold = (value: unknown, { keywords: { pattern } }: FlatSchema) =>
  typeof value === 'string' && pattern !== undefined && matches(pattern.value, value) === undefined

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/** Whether a list has a value twice. */
export const hasTwins = (list: unknown[]) =>
  new Set(list.map((one) => JSON.stringify(one))).size < list.length

/** Whether a value is what a schema says; examples are at odds with their own format at times. */
function isGood(value: unknown, schema: FlatSchema): boolean {
  const { format: name } = schema.keywords
  const isOfFormat = Object.hasOwn(format, name?.value) ? format[name!.value] : undefined
  const isOdd = typeof value === 'string' && isOfFormat !== undefined && !isOfFormat(value)
  return !isOdd && violated(value, schema).length === 0
}

/** Values that the document names as examples of a schema, best first. */
function examplesIn(schema: FlatSchema): unknown[] {
  const { example, examples, default: usual, [ownName]: name } = schema.keywords
  const listed = Array.isArray(examples?.value) ? examples.value : []
  const first = [name, example].flatMap((one) => (one ? [one.value] : []))
  return [...first, ...listed, ...(usual ? [usual.value] : [])]
}

/** Whether a value is at the end of what is taken, where one unit less would refuse it. */
export const isAtEnd = (value: unknown, schema: FlatSchema) => {
  const text = typeof value === 'string' ? [...value].length : value
  return ['minLength', 'maxLength', 'minimum', 'maximum'].some(
    (name) => said(schema, name) === text
  )
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
  const { open, source } = finder
  if (++finder.steps > mostSteps) return undefined
  const { const: fixed, enum: values } = schema.keywords
  if (fixed) return { value: fixed.value }
  const kind = kindOf(schema)
  if (kind !== 'object' && kind !== 'array') {
    const isNamed = named !== undefined && !(ownName in schema.keywords)
    const given = isNamed ? [named, ...examplesIn(schema)] : examplesIn(schema)
    const good = given.filter((one) => one !== null && isGood(one, schema))
    const best = good.find((one) => !isAtEnd(one, schema))
    if (best !== undefined) return { value: best }
  }
  if (Array.isArray(values?.value)) {
    return defined(values.value.find((one: unknown) => one !== null) ?? values.value[0])
  }
  if (open.has(schema.pointer) || open.size > 30) return undefined
  open.add(schema.pointer)
  try {
    if (schema.choices.length === 0) return made(finder, schema, named)
    for (const choice of schema.choices) {
      const found = sample(finder, chosen(source, schema, choice), named)
      if (found !== undefined) return found
    }
    return undefined
  } finally {
    open.delete(schema.pointer)
  }
}

function made(finder: Finder, schema: FlatSchema, named: unknown): SampleValue {
  const kind = kindOf(schema)
  if (kind === 'object') return objectFor(finder, schema, named)
  if (kind === 'array') return listFor(finder, schema)
  if (kind === 'boolean') return { value: true }
  if (kind === 'null') return { value: null }
  const isNumeric = kind === 'integer' || kind === 'number'
  return defined(isNumeric ? numberFor(schema, kind === 'integer') : textFor(schema))
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
  if (!isOpen || found.size >= least) return { value: Object.fromEntries(found) }
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
  if (count > 1_000) return undefined
  if (!isUnique || count < 2) {
    return { value: Array.from({ length: count }, () => item.value) }
  }
  return defined(inner && variedFor(inner, count))
}

const defined = (value: unknown): SampleValue => (value === undefined ? undefined : { value })

/** As many different values; undefined where a schema has not so many, or they are not found. */
export function variedFor(schema: FlatSchema, count: number): unknown[] | undefined {
  const values = said(schema, 'enum')
  if (Array.isArray(values)) return values.length >= count ? values.slice(0, count) : undefined
  const kind = kindOf(schema)
  const all = Array.from({ length: count }, (_, index) =>
    kind === 'integer' || kind === 'number' ? rangeOf(schema, true).step * (index + 1) : `x${index}`
  )
  const isFormat = formatOf(schema) !== undefined
  if (isFormat || (kind !== 'string' && kind !== 'integer' && kind !== 'number')) return undefined
  return all.every((one) => violated(one, schema).length === 0) ? all : undefined
}
