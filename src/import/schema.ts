import { followed, referred } from './references.ts'
import { type ImportSource, isObject, type Located, pointerTo } from './source.ts'
import { both, commonTypes, ownName, tighter } from './together.ts'
import { isSchema, understood } from './understood.ts'

/** A schema with its references followed and the parts of its `allOf` put together. */
export type FlatSchema = {
  /** Where it begins, its references followed. */
  pointer: string
  /** Its types but null, unless that is all; empty where it has any. */
  types: string[]
  /** Whether null is one beside them; undefined where nothing is said of that. */
  isNullable?: boolean
  /** Whether it is called nullable beside no type, which OpenAPI 3.0 does not let count. */
  isCalledNullable?: boolean
  /** What it says of a value by itself: maxLength, enum, format … */
  keywords: Record<string, Located>
  properties: Record<string, Located>
  required: Record<string, Located>
  items?: Located
  additional?: Located
  /** The only fields that parts of it allow which have no others. */
  only?: string[]
  /** Of which one has to hold, or several. */
  choices: Located[]
  /** Whether it says what cannot be told by these. */
  isPartial: boolean
  /** A keyword without which nobody knows what is taken, and of which nothing is understood. */
  unread?: string
}

const plain = [
  ...['minLength', 'maxLength', 'pattern', 'format', 'enum', 'const', 'multipleOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minItems', 'maxItems'],
  ...['uniqueItems', 'minProperties', 'maxProperties', 'readOnly', 'writeOnly', 'example'],
  ...['examples', 'default', 'discriminator', ownName]
]
/** What a value has to be is not known without these, and nothing of them is understood. */
const unread = [
  ...['not', 'if', 'contains', 'prefixItems', 'propertyNames'],
  ...['dependentSchemas', 'dependentRequired']
]
const beyond = [...unread, 'unevaluatedItems', 'patternProperties']

const types = ['string', 'number', 'integer', 'boolean', 'object', 'array']

/** A table that has nothing but what is put there: a field may be called `constructor`. */
const table = (...entries: Record<string, Located>[]): Record<string, Located> =>
  Object.assign(Object.create(null), ...entries)

const empty = (pointer: string): FlatSchema => ({
  ...{ pointer, types: [], keywords: {}, properties: table() },
  ...{ required: table(), choices: [], isPartial: false }
})

/** What may be anything. */
export const unsaid: FlatSchema = empty('')

function add(schema: FlatSchema, other: FlatSchema): void {
  for (const [name, at] of Object.entries(other.keywords)) {
    schema.keywords[name] = tighter(name, schema.keywords[name], at)
  }
  schema.types = commonTypes(schema.types, other.types)
  const isEither = schema.isNullable ?? other.isNullable
  if (isEither !== undefined) schema.isNullable = isEither && (other.isNullable ?? true)
  if (other.isCalledNullable) schema.isCalledNullable = true
  for (const [name, at] of Object.entries(other.properties)) {
    schema.properties[name] = both(schema.properties[name], at)
  }
  Object.assign(schema.required, other.required)
  if (other.items) schema.items = both(schema.items, other.items)
  const isClosed = other.additional?.value === false
  schema.additional = isClosed ? other.additional : (schema.additional ?? other.additional)
  const { only = other.only } = schema
  if (only) schema.only = other.only ? only.filter((name) => other.only!.includes(name)) : only
  schema.unread ??= other.unread
  schema.isPartial ||= other.isPartial || (schema.choices.length > 0 && other.choices.length > 0)
  if (schema.choices.length === 0) schema.choices = other.choices
}

/** What a schema says by itself, and not by its parts. */
function own(source: ImportSource, { value: said, pointer }: Located): FlatSchema {
  const schema = empty(pointer)
  const value = understood(source, { value: said, pointer })
  const type: string[] = value.type === undefined ? [] : [value.type].flat()
  schema.types = type.filter((name) => types.includes(name))
  if (type.length > 0 && type.every((name) => name === 'null')) schema.types = ['null']
  else if (type.length > 0) {
    schema.isNullable = isOld(source) ? value.nullable === true : type.includes('null')
  }
  if (isOld(source) && value.nullable === true && type.length === 0) schema.isCalledNullable = true
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
  const isClosed = value.additionalProperties === false && value.patternProperties === undefined
  if (isClosed) schema.only = Object.keys(schema.properties)
  // Of two choices only one is known.
  const hasTwo = value.oneOf !== undefined && value.anyOf !== undefined
  const isEmpty = (name: string) => name === 'prefixItems' && value[name]?.length === 0
  const isSaid = (name: string) => value[name] !== undefined && !isEmpty(name)
  schema.isPartial = hasTwo || beyond.some(isSaid)
  schema.unread = unread.find(isSaid)
  return schema
}

/** Has a schema no fields but those of all its parts, where it says that none is left unsaid. */
function evaluate(source: ImportSource, schema: FlatSchema, { value, pointer }: Located): void {
  const { unevaluatedProperties: said } = Object(value)
  if (said === undefined) return
  // What is said of others by a part says it of all of them.
  const isAlone = !schema.isPartial && schema.choices.length === 0
  const isTold = said === false && isAlone && !isOld(source)
  if (!isTold || schema.additional !== undefined) {
    schema.isPartial ||= said !== true
    return
  }
  schema.additional = { value: false, pointer: pointerTo(pointer, 'unevaluatedProperties') }
  schema.only = Object.keys(schema.properties)
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

const isNull = (one: unknown) => isObject(one) && one.type === 'null'

/** Whether null is one of the alternatives. */
const isNullAmong = ({ oneOf, anyOf }: Record<string, any>) =>
  [oneOf, anyOf].some((all) => Array.isArray(all) && all.some(isNull))

/** The alternatives among which there is a choice, null being none of them. */
function choicesOf({ value, pointer }: Located): Located[] {
  const name = Array.isArray(value.oneOf) ? 'oneOf' : 'anyOf'
  const all: unknown[] = Array.isArray(value[name]) ? value[name] : []
  return all.flatMap((one, index) =>
    isNull(one) ? [] : { value: one, pointer: pointerTo(pointer, name, index) }
  )
}

/**
 * Takes away the fields of some parts that another part has not and takes no others than its own:
 * a service that is strict refuses them, and one that is not takes them. What is required stays,
 * since without it nobody takes anything.
 */
function close(schema: FlatSchema): void {
  const { only, properties, required } = schema
  if (only === undefined) return
  for (const name of Object.keys(properties)) {
    if (only.includes(name)) continue
    schema.isPartial = true
    if (!(name in required)) delete properties[name]
  }
}

/** So deep are schemas put together. */
const deepest = 100

/** A schema put together; throws what `followed` throws. */
export const flat = (source: ImportSource, from: Located): FlatSchema =>
  flatWithin(source, from, { within: [], known: new Map() })

/**
 * A schema as a part of others. What was put together once is known by where it stands: a part that
 * two of the others have would be gone through twice as often with each step.
 */
function flatWithin(
  source: ImportSource,
  from: Located,
  { within, known }: { within: readonly string[]; known: Map<string, FlatSchema> }
): FlatSchema {
  const before = from.also === undefined ? known.get(from.pointer) : undefined
  if (before !== undefined) return before
  const at = followed(source, from)
  const isOpen = within.includes(at.pointer) || within.length > deepest
  if (isOpen) return empty(at.pointer)
  const inner = { within: [...within, at.pointer], known }
  const { value } = at
  if (!isSchema(value)) source.odd.add(at.pointer)
  const schema = isObject(value) ? own(source, at) : empty(at.pointer)
  if (isObject(from.value) && at !== from && !isOld(source)) addBeside(source, schema, from)
  const parts: unknown[] = isObject(value) && Array.isArray(value.allOf) ? value.allOf : []
  for (const [index, value] of parts.entries()) {
    const pointer = pointerTo(at.pointer, 'allOf', index)
    add(schema, flatWithin(source, { value, pointer }, inner))
  }
  const choices = isObject(value) ? choicesOf(at) : []
  if (choices.length === 1) {
    const only = flatWithin(source, choices[0]!, inner)
    add(schema, isNullAmong(value) ? { ...only, isNullable: true } : only)
  }
  if (choices.length > 1) schema.choices = choices
  evaluate(source, schema, at)
  for (const more of from.also ?? []) add(schema, flatWithin(source, more, inner))
  if (schema.choices.length === 0) nameBy(source, schema, schema.keywords.discriminator)
  close(schema)
  if (from.also === undefined) known.set(from.pointer, schema)
  return schema
}

/** Has the field of a discriminator say of which schema a value is. */
function nameBy(
  source: ImportSource,
  schema: FlatSchema,
  discriminator: Located | undefined
): void {
  const { propertyName: field, mapping } = Object(discriminator?.value)
  if (discriminator === undefined || typeof field !== 'string') return
  const [, own] = /^\/components\/schemas\/([^/]+)$/.exec(schema.pointer) ?? []
  const named = Object.entries(isObject(mapping) ? mapping : {})
  const leadsHere = (to: unknown) =>
    to === own ||
    (typeof to === 'string' && to.includes('#') && referred(source, to)?.pointer === schema.pointer)
  // Of the schema that all the others are made of no value is, where those have names.
  const isBase = discriminator.pointer === pointerTo(schema.pointer, 'discriminator')
  const other = isBase ? (named[0]?.[0] ?? own) : own
  const name = named.find(([, to]) => leadsHere(to))?.[0] ?? other
  if (name === undefined) return
  const said = { value: { [ownName]: name }, pointer: `${discriminator.pointer}/${schema.pointer}` }
  schema.properties[field] = both(schema.properties[field], said)
}

/** Whether a source is of OpenAPI 3.0, where nothing counts that stands beside a reference. */
export const isOld = ({ value }: ImportSource) => /^3\.0(\.|$)/.test(Object(value).openapi)

/** What stands beside a reference says more since OpenAPI 3.1. */
function addBeside(source: ImportSource, schema: FlatSchema, { value, pointer }: Located): void {
  const { $ref: _, ...beside } = value
  if (Object.keys(beside).length > 0) add(schema, own(source, { value: beside, pointer }))
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
  const own = flat(source, choice)
  nameBy(source, own, schema.keywords.discriminator)
  add(one, own)
  close(one)
  return one
}
