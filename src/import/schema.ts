import { type ImportSource, type Located, located, pointerOf, pointerTo } from './source.ts'

/** A schema with its references followed and the parts of its `allOf` put together. */
export type FlatSchema = {
  /** Where it begins, its references followed. */
  pointer: string
  /** Its types but null; empty where it has any. */
  types: string[]
  /** What it says of a value by itself: maxLength, enum, format … */
  keywords: Record<string, Located>
  properties: Record<string, Located>
  required: Record<string, Located>
  items?: Located
  additional?: Located
  /** Of which one has to hold, or several. */
  choices: Located[]
  /** Whether it says what cannot be told by these. */
  isPartial: boolean
}

/** A reference that leads out of the document, which is never followed. */
export class RemoteReference extends Error {}

const plain = [
  ...['minLength', 'maxLength', 'pattern', 'format', 'enum', 'const', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
  ...['uniqueItems', 'minProperties', 'maxProperties', 'readOnly', 'writeOnly', 'example'],
  ...['examples', 'default', 'discriminator']
]
const beyond = ['not', 'if', 'dependentSchemas', 'dependentRequired', 'patternProperties']
const larger = ['minLength', 'minimum', 'minItems', 'minProperties', 'exclusiveMinimum']

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array']

const isObject = (value: unknown): value is Record<string, any> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** Follows references; throws a `RemoteReference`, or an Error where there is nothing. */
export function followed(source: ImportSource, from: Located): Located {
  let at = from
  for (let steps = 0; isObject(at.value) && typeof at.value.$ref === 'string'; steps++) {
    const { $ref } = at.value
    if (!$ref.startsWith('#')) throw new RemoteReference(`${at.pointer} refers to ${$ref}`)
    if (steps > 50) throw new Error(`${source.file}: ${from.pointer} refers to itself`)
    const next = located(source, pointerOf($ref))
    if (next === undefined) throw new Error(`${source.file}: there is no ${$ref} (${at.pointer})`)
    at = next
  }
  return at
}

/** A table that has nothing but what is put there: a field may be called `constructor`. */
const table = (...entries: Record<string, Located>[]): Record<string, Located> =>
  Object.assign(Object.create(null), ...entries)

const empty = (pointer: string): FlatSchema => ({
  ...{ pointer, types: [], keywords: {}, properties: table() },
  ...{ required: table(), choices: [], isPartial: false }
})

/** The tighter of two statements of one keyword. */
function tighter(name: string, one: Located | undefined, other: Located): Located {
  if (one === undefined) return other
  if (name === 'enum' && [one, other].every(({ value }) => Array.isArray(value))) {
    const listed = new Set(other.value.map((value: unknown) => JSON.stringify(value)))
    const both = one.value.filter((value: unknown) => listed.has(JSON.stringify(value)))
    return { ...one, value: both }
  }
  const isTighter = larger.includes(name) ? other.value > one.value : other.value < one.value
  return typeof other.value === 'number' && isTighter ? other : one
}

function add(schema: FlatSchema, other: FlatSchema): void {
  for (const [name, at] of Object.entries(other.keywords)) {
    schema.keywords[name] = tighter(name, schema.keywords[name], at)
  }
  if (schema.types.length === 0) schema.types = other.types
  Object.assign(schema.properties, other.properties)
  Object.assign(schema.required, other.required)
  schema.items ??= other.items
  schema.additional ??= other.additional
  schema.isPartial ||= other.isPartial || (schema.choices.length > 0 && other.choices.length > 0)
  if (schema.choices.length === 0) schema.choices = other.choices
}

/** What a schema says by itself, and not by its parts. */
function own({ value, pointer }: Located): FlatSchema {
  const schema = empty(pointer)
  const type = value.type === undefined ? [] : [value.type].flat()
  schema.types = type.filter((name) => types.includes(name))
  for (const name of plain) {
    if (value[name] === undefined) continue
    schema.keywords[name] = { value: value[name], pointer: pointerTo(pointer, name) }
  }
  exclusive(schema, 'minimum', 'exclusiveMinimum')
  exclusive(schema, 'maximum', 'exclusiveMaximum')
  for (const [name, inner] of Object.entries(isObject(value.properties) ? value.properties : {})) {
    schema.properties[name] = { value: inner, pointer: pointerTo(pointer, 'properties', name) }
  }
  const required: unknown[] = Array.isArray(value.required) ? value.required : []
  for (const [index, name] of required.entries()) {
    const at = { value: true, pointer: pointerTo(pointer, 'required', index) }
    if (typeof name === 'string') schema.required[name] = at
  }
  if (isObject(value.items)) {
    schema.items = { value: value.items, pointer: pointerTo(pointer, 'items') }
  }
  if (value.additionalProperties !== undefined) {
    const at = pointerTo(pointer, 'additionalProperties')
    schema.additional = { value: value.additionalProperties, pointer: at }
  }
  schema.isPartial = beyond.some((name) => value[name] !== undefined)
  return schema
}

/** OpenAPI 3.0 says by a boolean that a bound is none of what is allowed. */
function exclusive({ keywords }: FlatSchema, bound: string, name: string): void {
  const { [name]: said } = keywords
  if (typeof said?.value !== 'boolean') return
  delete keywords[name]
  const { [bound]: number } = keywords
  if (!said.value || number === undefined) return
  delete keywords[bound]
  keywords[name] = number
}

/** The alternatives among which there is a choice, null being none of them. */
function choicesOf({ value, pointer }: Located): Located[] {
  const name = Array.isArray(value.oneOf) ? 'oneOf' : 'anyOf'
  const all: unknown[] = Array.isArray(value[name]) ? value[name] : []
  const isNull = (one: unknown) => isObject(one) && one.type === 'null'
  return all.flatMap((one, index) =>
    isNull(one) ? [] : { value: one, pointer: pointerTo(pointer, name, index) }
  )
}

/** A schema put together; throws what `followed` throws. */
export function flat(
  source: ImportSource,
  from: Located,
  within: readonly string[] = []
): FlatSchema {
  const at = followed(source, from)
  const isOpen = within.includes(at.pointer) || within.length > 20
  if (!isObject(at.value) || isOpen) return empty(at.pointer)
  const inner = [...within, at.pointer]
  const schema = own(at)
  if (isObject(from.value) && at !== from && !isOld(source)) addBeside(schema, from)
  const parts: unknown[] = Array.isArray(at.value.allOf) ? at.value.allOf : []
  for (const [index, value] of parts.entries()) {
    const pointer = pointerTo(at.pointer, 'allOf', index)
    add(schema, flat(source, { value, pointer }, inner))
  }
  const choices = choicesOf(at)
  if (choices.length === 1) add(schema, flat(source, choices[0]!, inner))
  else if (choices.length > 1) schema.choices = choices
  return schema
}

/** Whether a source is of OpenAPI 3.0, where nothing counts that stands beside a reference. */
export const isOld = ({ value }: ImportSource) => /^3\.0(\.|$)/.test(Object(value).openapi)

/** What stands beside a reference says more since OpenAPI 3.1. */
function addBeside(schema: FlatSchema, { value, pointer }: Located): void {
  const { $ref: _, ...beside } = value
  if (Object.keys(beside).length > 0) add(schema, own({ value: beside, pointer }))
}

/** A schema that has to be as another, and as one of its choices. */
export function chosen(source: ImportSource, schema: FlatSchema, choice: Located): FlatSchema {
  const one: FlatSchema = {
    ...schema,
    keywords: { ...schema.keywords },
    properties: table(schema.properties),
    required: table(schema.required),
    pointer: choice.pointer,
    choices: []
  }
  add(one, flat(source, choice))
  return one
}
