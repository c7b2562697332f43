import type { ShapeSchema } from '../scenario/formats.ts'
import { isTold } from '../scenario/formats.ts'
import { referred as leadsTo } from './references.ts'
import { isOld } from './schema.ts'
import type { ImportSource, Located } from './source.ts'
import { matches } from './strings.ts'

/** What schemas of answers come to, as JSON Schema 2020-12. */
export type Shapes = {
  /** Of a schema; what it refers to is among the `defs` from then on. */
  of: (at: Located) => ShapeSchema
  defs: Record<string, ShapeSchema>
}

const named = ['properties', 'patternProperties', 'dependentSchemas', '$defs']
const nested = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'propertyNames']
const listed = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
/** What tells values apart and is not kept. */
const dropped = [
  ...['contains', 'dependentRequired', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['contentEncoding', 'contentMediaType', 'discriminator', '$dynamicRef']
]
const kept = [
  ...['type', 'enum', 'const', 'minLength', 'maxLength', 'multipleOf', 'minimum', 'maximum'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties'],
  ...['exclusiveMinimum', 'exclusiveMaximum']
]

const types = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']

/** Whether a keyword says what it can: of what else stands there, nobody knows what it says. */
function isSaid(name: string, value: unknown): boolean {
  if (name === 'const') return value !== undefined
  if (name === 'type') return [value].flat().every((one) => types.includes(one as string))
  if (name === 'enum') return Array.isArray(value)
  if (name === 'multipleOf') return Number(value) > 0
  return typeof value === 'number' || typeof value === 'boolean'
}

const isObject = (value: unknown): value is Record<string, any> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/** So many schemas are kept: who refers to more is not judged by those. */
const most = 5_000

/** Fields that no answer has, or no request. */
type Unseen = 'writeOnly' | 'readOnly'

/** Shapes while they are made. */
type Making = {
  source: ImportSource
  defs: Record<string, ShapeSchema>
  /** Names of definitions by the pointers of their schemas. */
  names: Map<string, string>
  /** Definitions that say all that their schemas do. */
  whole: Set<string>
  /** How often something was left out. */
  lost: number
  /** The keyword of fields that are not there, and so are not required. */
  unseen: Unseen
}

/** Where a schema stands: so deep, and in a value of which these fields are only written. */
type Standing = { depth: number; hidden: readonly string[] }

/**
 * Makes shapes of the schemas of a source. Left out is what says nothing of a shape, and what
 * refers out of the document, since that is never fetched; a `format` counts as left out, since
 * who holds values against a shape need not hold them against that. Where less is said more is
 * taken, but by `oneOf`, `not` and `if`: of alternatives that are told apart by what is left out
 * any may hold, and the other two are left out as well. They are of answers; of requests where it
 * is what is only read that is not there.
 */
export function createShapes(source: ImportSource, unseen: Unseen = 'writeOnly'): Shapes {
  const making: Making = { source, defs: {}, names: new Map(), whole: new Set(), lost: 0, unseen }
  return { of: ({ value }) => shapeOf(making, value), defs: making.defs }
}

/** What is made, and whether nothing was left out meanwhile. */
function told<Made>(making: Making, make: () => Made): { made: Made; isWhole: boolean } {
  const { lost } = making
  return { made: make(), isWhole: making.lost === lost }
}

function unknown(making: Making): ShapeSchema {
  making.lost++
  return true
}

function shapeOf(
  making: Making,
  value: unknown,
  { depth, hidden }: Standing = { depth: 0, hidden: [] }
): ShapeSchema {
  if (typeof value === 'boolean') return value
  if (!isObject(value) || depth > 60) return unknown(making)
  const { source } = making
  const parts = typeof value.$ref === 'string' ? [referred(making, value.$ref)] : []
  if (parts.length > 0 && isOld(source)) return nullableBy(value, parts[0]!)
  const unseen = [...hidden, ...notThere(making, value)]
  const own = plainPart(value, (name) => !unseen.includes(name))
  if (isLess(value, own)) making.lost++
  addInner(making, own, value, { depth: depth + 1, hidden: unseen })
  if (parts.length === 0) return nullableBy(value, own)
  const all = Object.keys(own).length > 0 ? { allOf: [...parts, own] } : parts[0]!
  return nullableBy(value, all)
}

/** Adds what a schema says by others. */
function addInner(
  making: Making,
  own: Record<string, any>,
  value: Record<string, any>,
  { depth, hidden }: Standing
): void {
  const plain = { depth, hidden: [] }
  for (const name of named.filter((one) => isObject(value[one]))) {
    own[name] = mapped(value[name], (inner) => shapeOf(making, inner, plain))
  }
  for (const name of nested.filter((one) => value[one] !== undefined)) {
    const { made, isWhole } = told(making, () => shapeOf(making, value[name], plain))
    if (isWhole || !['not', 'if'].includes(name)) own[name] = made
  }
  for (const name of listed.filter((one) => Array.isArray(value[one]))) {
    const standing = name === 'prefixItems' ? plain : { depth, hidden }
    const { made, isWhole } = told(making, () =>
      value[name].map((inner: unknown) => shapeOf(making, inner, standing))
    )
    if (name !== 'oneOf' || (isWhole && value.discriminator === undefined)) own[name] = made
    else own.allOf = [...(own.allOf ?? []), { anyOf: made }]
  }
}

function targetOf(source: ImportSource, field: unknown): any {
  const { $ref } = Object(field)
  return typeof $ref === 'string' ? leadsTo(source, $ref)?.value : field
}

/** The fields of a value that are not there, as its schema says and the parts of that. */
function notThere(making: Making, value: any, seen = new Set<unknown>()): string[] {
  const { source, unseen } = making
  if (!isObject(value) || seen.has(value)) return []
  seen.add(value)
  const fields = Object.entries(isObject(value.properties) ? value.properties : {})
  const own = fields.filter(([, field]) => targetOf(source, field)?.[unseen] === true)
  const parts: unknown[] = [value, ...(Array.isArray(value.allOf) ? value.allOf : [])]
  const inner = parts.flatMap((one) => notThere(making, targetOf(source, one), seen))
  return [...own.map(([name]) => name), ...inner]
}

function referred(making: Making, ref: string): ShapeSchema {
  const { source, defs, names, whole } = making
  const at = leadsTo(source, ref)
  if (!at || names.size >= most) return unknown(making)
  const known = names.get(at.pointer)
  if (known !== undefined) {
    // Of one that is still being made nobody knows what it will leave out.
    if (!whole.has(known)) making.lost++
    return { $ref: `#/$defs/${known}` }
  }
  const name =
    at.pointer
      .split('/')
      .at(-1)!
      .replaceAll(/[^\w-]/g, '_') || 'x'
  const isTaken = Object.hasOwn(defs, name) || name === '__proto__'
  const own = isTaken ? `${name}_${names.size}` : name
  names.set(at.pointer, own)
  defs[own] = true
  const { made, isWhole } = told(making, () => shapeOf(making, at.value))
  defs[own] = made
  if (isWhole) whole.add(own)
  return { $ref: `#/$defs/${own}` }
}

function mapped(
  values: Record<string, unknown>,
  of: (value: unknown) => ShapeSchema
): Record<string, ShapeSchema> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, of(value)]))
}

/** What a schema says that holds no other schema; only what `isShown` is required of an answer. */
function plainPart(
  value: Record<string, any>,
  isShown: (name: string) => boolean
): Record<string, any> {
  const own = Object.fromEntries(
    kept.flatMap((name) => (isSaid(name, value[name]) ? [[name, value[name]]] : []))
  )
  for (const [bound, name] of Object.entries({
    ...{ minimum: 'exclusiveMinimum', maximum: 'exclusiveMaximum' }
  })) {
    if (typeof own[name] !== 'boolean') continue
    if (own[name] && own[bound] !== undefined) {
      own[name] = own[bound]
      delete own[bound]
    } else delete own[name]
  }
  if (typeof value.pattern === 'string' && matches(value.pattern, '') !== undefined) {
    own.pattern = value.pattern
  }
  if (isTold(value.format)) own.format = value.format
  if (Array.isArray(value.required)) {
    own.required = value.required.filter(isShown)
  }
  return own
}

/** Whether the part of a schema that was made says less than the schema. */
function isLess(value: Record<string, any>, made: Record<string, any>): boolean {
  const isDropped = ['format', ...dropped].some((name) => value[name] !== undefined)
  const isPatternLost = value.pattern !== undefined && made.pattern === undefined
  return isDropped || isPatternLost || made.required?.length < value.required?.length
}

/** The same, or null where OpenAPI 3.0 says so. */
function nullableBy(value: Record<string, any>, own: ShapeSchema): ShapeSchema {
  if (value.nullable !== true) return own
  return { anyOf: [own, { type: 'null' }] }
}
