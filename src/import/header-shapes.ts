import type { HeaderClauses } from '../scenario/answers.ts'
import type { ShapeSchema } from '../scenario/formats.ts'
import { hasFormat } from '../scenario/formats.ts'
import { kebab } from './operations.ts'
import { followed, unlessLost } from './references.ts'
import { flat } from './schema.ts'
import type { Shapes } from './shapes.ts'
import { type ImportSource, isObject, type Located, pointerTo } from './source.ts'

/** A header that a response has, as it is documented. */
export type DocumentedHeader = {
  /** As it is written. */
  name: string
  pointer: string
  isRequired: boolean
  shape: ShapeSchema
}

/**
 * The headers of a response, each with the shape of its value; without one where it is an object,
 * of which nobody knows how it is written.
 */
export function headersIn(
  source: ImportSource,
  shapes: Shapes,
  response: Located
): DocumentedHeader[] {
  const { headers } = response.value
  return Object.entries<any>(isObject(headers) ? headers : {}).flatMap(([name, value]) => {
    // Its content type is said elsewhere, and OpenAPI has it ignored here.
    if (name.toLowerCase() === 'content-type') return []
    const pointer = pointerTo(response.pointer, 'headers', name)
    const at = unlessLost(() => followed(source, { value, pointer }))
    if (at === undefined || !isObject(at.value)) {
      return [{ name, pointer, isRequired: false, shape: true }]
    }
    const isRequired = at.value.required === true
    return [{ name, pointer, isRequired, shape: shapeOf(source, shapes, at) }]
  })
}

function shapeOf(source: ImportSource, shapes: Shapes, at: Located): ShapeSchema {
  const { schema, content } = at.value
  const [type] = Object.keys(isObject(content) ? content : {})
  if (type !== undefined) {
    const media = Object(content[type])
    const pointer = pointerTo(at.pointer, 'content', type, 'schema')
    const isJson = /[/+]json\b/.test(type) && media.schema !== undefined
    return isJson ? shapes.of({ value: media.schema, pointer }) : true
  }
  if (schema === undefined) return true
  const own = { value: schema, pointer: pointerTo(at.pointer, 'schema') }
  const types = unlessLost(() => flat(source, own))?.types
  return types === undefined || types.includes('object') ? true : shapes.of(own)
}

/** Whether a shape says anything of a text beside that it is one, and what is not of formats. */
export function isTelling(shape: ShapeSchema, defs: Shapes['defs']): boolean {
  if (typeof shape === 'boolean') return !shape
  const { $ref } = shape
  if (typeof $ref === 'string' && Object.keys(shape).length === 1) {
    return isTelling(defs[$ref.replace('#/$defs/', '')] ?? true, {})
  }
  const { format: _, type, ...rest } = shape
  return ![undefined, 'string'].includes(type as string) || Object.keys(rest).length > 0
}

/** The clauses about headers of responses, of which one comes: as they are, by name. */
export function headerClauses(
  responses: readonly DocumentedHeader[][],
  defs: Shapes['defs'],
  add: (id: string[], documented: string, pointer: string) => string
): HeaderClauses {
  const byName = Map.groupBy(responses.flat(), ({ name }) => name.toLowerCase())
  const headers: Record<string, string> = {}
  const headerShapes: Record<string, string> = {}
  for (const [key, all] of byName) {
    const [{ name, pointer }] = all as [DocumentedHeader]
    const id = ['header', kebab(name)]
    if (all.every(({ isRequired }) => isRequired)) {
      headers[key] = add(id, `the answer has ${name}`, pointer)
    }
    if (key === 'set-cookie' || !all.some(({ shape }) => isTelling(shape, defs))) continue
    headerShapes[key] = add([...id, 'shape'], `${name} has the documented shape`, pointer)
  }
  return {
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(Object.keys(headerShapes).length > 0 && { headerShapes })
  }
}

/** The shapes of the bodies in JSON that a response may have. */
export function bodiesIn(shapes: Shapes, { value, pointer }: Located): ShapeSchema[] {
  return Object.entries<any>(Object(value.content)).flatMap(([type, media]) => {
    if (!/[/+]json\b/.test(type) || media?.schema === undefined) return []
    const at = pointerTo(pointer, 'content', type, 'schema')
    return [shapes.of({ value: media.schema, pointer: at })]
  })
}

/** Whether something of what a response has is of a format of which something can be told. */
export function saysFormats(
  bodies: readonly ShapeSchema[],
  headers: readonly DocumentedHeader[],
  { defs }: Shapes
): boolean {
  const told = [...bodies, ...headers.map(({ shape }) => shape)]
  return told.some((one) => hasFormat(one, defs))
}
