import type { ShapeSchema } from '../scenario/shape.ts'
import { isOld } from './schema.ts'
import { type ImportSource, type Located, located, pointerOf } from './source.ts'
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

/**
 * Makes shapes of the schemas of a source. Left out is what says nothing of a shape, as `format`
 * does not, and what refers out of the document, since that is never fetched.
 */
export function createShapes(source: ImportSource): Shapes {
  const defs: Record<string, ShapeSchema> = {}
  const names = new Map<string, string>()
  const shape = (value: unknown, pointer: string, depth = 0): ShapeSchema => {
    if (typeof value === 'boolean') return value
    if (!isObject(value) || depth > 60) return true
    const parts = typeof value.$ref === 'string' ? [referred(value.$ref)] : []
    if (parts.length > 0 && isOld(source)) return nullableBy(value, parts[0]!)
    const own = plainPart(value, (field) => targetOf(field)?.writeOnly !== true)
    for (const name of named.filter((one) => isObject(value[one]))) {
      own[name] = mapped(value[name], (inner) => shape(inner, pointer, depth + 1))
    }
    for (const name of nested.filter((one) => value[one] !== undefined)) {
      own[name] = shape(value[name], pointer, depth + 1)
    }
    for (const name of listed.filter((one) => Array.isArray(value[one]))) {
      own[name] = value[name].map((inner: unknown) => shape(inner, pointer, depth + 1))
    }
    if (parts.length === 0) return nullableBy(value, own)
    const all = Object.keys(own).length > 0 ? { allOf: [...parts, own] } : parts[0]!
    return nullableBy(value, all)
  }
  const targetOf = (field: unknown): any => {
    const { $ref } = Object(field)
    const isWithin = typeof $ref === 'string' && $ref.startsWith('#')
    return isWithin ? located(source, pointerOf($ref))?.value : field
  }
  const referred = (ref: string): ShapeSchema => {
    const at = ref.startsWith('#') ? located(source, pointerOf(ref)) : undefined
    if (at === undefined || names.size >= most) return true
    const known = names.get(at.pointer)
    if (known !== undefined) return { $ref: `#/$defs/${known}` }
    const name =
      at.pointer
        .split('/')
        .at(-1)!
        .replaceAll(/[^\w-]/g, '_') || 'x'
    const isTaken = Object.hasOwn(defs, name) || name === '__proto__'
    const own = isTaken ? `${name}_${names.size}` : name
    names.set(at.pointer, own)
    defs[own] = true
    defs[own] = shape(at.value, at.pointer)
    return { $ref: `#/$defs/${own}` }
  }
  return { of: ({ value, pointer }) => shape(value, pointer), defs }
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
  isShown: (field: unknown) => boolean
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
  if (Array.isArray(value.required)) {
    own.required = value.required.filter((name: string) => isShown(value.properties?.[name]))
  }
  return own
}

/** The same, or null where OpenAPI 3.0 says so. */
function nullableBy(value: Record<string, any>, own: ShapeSchema): ShapeSchema {
  if (value.nullable !== true) return own
  return { anyOf: [own, { type: 'null' }] }
}
