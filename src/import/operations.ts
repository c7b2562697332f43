import { createIds, slug } from '../scenario/clause-id.ts'
import { isLeading } from '../scenario/redirects.ts'
import { type Parameter, type ParameterPlace, parametersAt } from './parameters.ts'
import { followed, unlessLost } from './references.ts'
import { type FlatSchema, flat } from './schema.ts'
import { type ImportSource, isObject, type Located, located, pointerTo } from './source.ts'

/** What a request carries. */
export type ImportedBody = {
  pointer: string
  isRequired: boolean
  contentType: string
  schema: FlatSchema
  example?: unknown
  /** Of a form in parts, its fields that are files, each with its content type. */
  files?: Record<string, string>
  /** The pointer to its content types. */
  content: string
}

/** What a scheme wants to be shown. */
export type Scheme = {
  name: string
  pointer: string
  in: ParameterPlace
  /** Of the header or parameter. */
  parameter: string
  wrong: string
  scopes: string[]
}

/** One operation of an OpenAPI document. */
export type ImportedOperation = {
  /** In kebab-case, and no other's. */
  name: string
  method: string
  path: string
  pointer: string
  parameters: Parameter[]
  body?: ImportedBody
  /** Responses by status. */
  responses: Record<string, Located>
  /** The schemes of all its demands. */
  security: Scheme[]
  /** Of which one lets in: all its schemes together. */
  demands: Scheme[][]
  /** The pointer to what demands it. */
  securityAt?: string
  /** Its `servers`, and those of its path. */
  servers: unknown[]
  value: any
}

/** Operations, and those that cannot be read, each with the reason. */
export type Operations = { operations: ImportedOperation[]; left: string[] }

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'query']
/** With so many, a part of the document is meant: nobody reads the report of more. */
const most = 2_000

/** Whether it is an object; what else it is is noted. */
function isRead({ odd }: ImportSource, { value, pointer }: Located): boolean {
  if (!isObject(value)) odd.add(pointer)
  return isObject(value)
}

/** Notes a field that is there and is not what it can be. */
function insist(
  { odd }: ImportSource,
  { value, pointer }: Located,
  name: string,
  isRight: (value: unknown) => boolean
): void {
  if (value[name] !== undefined && !isRight(value[name])) odd.add(pointerTo(pointer, name))
}

/** Longest name, of which files have theirs. */
const longest = 100

/** A name in lower case, of letters, digits and single dashes, and not too long for a file's. */
export function kebab(name: string): string {
  return slug(name).slice(0, longest).replace(/-$/, '') || 'x'
}

/** Whether a source is an OpenAPI document of a version that can be read; throws where not. */
export function insistOnOpenApi({ value, file }: ImportSource): void {
  const { openapi, swagger } = Object(value)
  if (swagger !== undefined) {
    throw new Error(`${file} is Swagger ${swagger}: convert it to OpenAPI 3 first`)
  }
  if (typeof openapi === 'number') {
    throw new Error(`${file} has a number as "openapi", ${openapi}: write it as a text, in quotes`)
  }
  if (typeof openapi !== 'string' || !/^3\.[0-2](\.|$)/.test(openapi)) {
    throw new Error(`${file} has no "openapi": "3.0", "3.1" or "3.2"`)
  }
  if (!isObject(value.paths)) throw new Error(`${file} has no "paths"`)
}

/** The operations of an OpenAPI document; throws an Error where there are too many. */
export function operationsOf(source: ImportSource): Operations {
  insistOnOpenApi(source)
  const found: { method: string; path: string; at: Located; item: Located }[] = []
  const left: string[] = []
  for (const [path, value] of Object.entries<any>(source.value.paths)) {
    if (path.startsWith('x-')) continue
    if (!path.startsWith('/')) {
      source.odd.add(pointerTo('/paths', path))
      continue
    }
    if (path.includes('#')) {
      left.push(`${path}: no request has what stands behind the #`)
      continue
    }
    const from = { value, pointer: pointerTo('/paths', path) }
    const tell = (why: string) => void left.push(`${path}: ${why}`)
    const item = unlessLost(() => followed(source, from), tell)
    if (item === undefined || !isRead(source, item)) continue
    for (const [method, at] of methodsOf(source, item)) found.push({ method, path, at, item })
    if (item.value.trace !== undefined) tell('TRACE is not asked')
    if (found.length > most) {
      throw new Error(`${source.file} has more than ${most} operations: import a part of it`)
    }
  }
  const nameOf = createIds()
  const operations = found.flatMap(({ method, path, at, item }) => {
    const { operationId } = at.value
    const name = nameOf(kebab(typeof operationId === 'string' ? operationId : `${method} ${path}`))
    const read = () => operationAt(source, { name, method, path, at, item })
    return unlessLost(read, (why) => left.push(`${method} ${path}: ${why}`)) ?? []
  })
  return { operations, left }
}

/** The operations of a path by their methods, as they are sent; some have names of their own. */
function methodsOf(source: ImportSource, item: Located): [method: string, at: Located][] {
  const { value, pointer } = item
  const own = methods.map((name) => [name.toUpperCase(), value[name], pointerTo(pointer, name)])
  insist(source, item, 'additionalOperations', isObject)
  const { additionalOperations: others } = value
  const more = Object.entries<any>(isObject(others) ? others : {}).map(([name, one]) => {
    const isMethod = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && !methods.includes(name.toLowerCase())
    return [name, isMethod ? one : null, pointerTo(pointer, 'additionalOperations', name)]
  })
  return [...own, ...more].flatMap(([name, value, pointer]): [string, Located][] => {
    if (value === undefined || !isRead(source, { value, pointer })) return []
    return [[name, { value, pointer }]]
  })
}

type Found = { name: string; method: string; path: string; at: Located; item: Located }

function operationAt(
  source: ImportSource,
  { name, method, path, at, item }: Found
): ImportedOperation {
  const parameters = new Map<string, Parameter>()
  for (const holder of [item, at]) {
    insist(source, holder, 'parameters', Array.isArray)
    const list: unknown[] = Array.isArray(holder.value.parameters) ? holder.value.parameters : []
    for (const [index, value] of list.entries()) {
      const pointer = pointerTo(holder.pointer, 'parameters', index)
      const those = parametersAt(source, { value, pointer })
      for (const one of those) parameters.set(`${one.in} ${one.name}`, one)
    }
  }
  for (const [key, { in: place, name, pointer }] of parameters) {
    if (place !== 'path' || path.includes(`{${name}}`)) continue
    source.odd.add(pointer)
    parameters.delete(key)
  }
  for (const [, written] of path.matchAll(/\{([^}]+)\}/g)) {
    const schema = flat(source, { value: {}, pointer: at.pointer })
    const unsaid = { in: 'path', pointer: at.pointer, isRequired: true, schema } as const
    const key = `path ${written}`
    if (!parameters.has(key)) parameters.set(key, { ...unsaid, name: written! })
  }
  insist(source, at, 'responses', isObject)
  insist(source, at, 'security', Array.isArray)
  const guard = securityOf(source, at)
  const responses = Object.entries<any>(isObject(at.value.responses) ? at.value.responses : {})
  return {
    ...{ name, method, path, pointer: at.pointer, value: at.value },
    servers: [at.value.servers, item.value.servers],
    // What is shown to be let in is no value to be made up, though it be listed as one.
    parameters: [...parameters.values()].filter((one) => !guard.security.some(isShownIn(one))),
    body: bodyAt(source, at),
    responses: Object.fromEntries(
      responses.flatMap(([status, value]) => {
        const from = { value, pointer: pointerTo(at.pointer, 'responses', status) }
        const response = followed(source, from)
        return isObject(response.value) ? [[status, response]] : []
      })
    ),
    ...guard
  }
}

const isShownIn = (one: Parameter) => (scheme: Scheme) =>
  [one, scheme].every((each) => each.in === 'header') &&
  scheme.parameter.toLowerCase() === one.name.toLowerCase()

function bodyAt(source: ImportSource, at: Located): ImportedBody | undefined {
  if (at.value.requestBody === undefined) return
  const from = pointerTo(at.pointer, 'requestBody')
  const { value, pointer } = followed(source, { value: at.value.requestBody, pointer: from })
  const body = { value, pointer }
  if (!isRead(source, body)) return
  insist(source, body, 'content', isObject)
  if (!isObject(value.content)) return
  const types = Object.keys(value.content)
  const wanted = [
    ...[/^application\/json\b/, /[/+]json\b/, /^application\/x-www-form-urlencoded/],
    /^multipart\/form-data/
  ]
  const form = wanted.flatMap((form) => types.find((type) => form.test(type)) ?? [])
  const contentType = form[0] ?? types[0]
  if (contentType === undefined) return
  const media = value.content[contentType] ?? {}
  const schema = pointerTo(pointer, 'content', contentType, 'schema')
  const [named] = Object.values<any>(isObject(media.examples) ? media.examples : {})
  const read = flat(source, { value: media.schema ?? {}, pointer: schema })
  const isInParts = contentType.startsWith('multipart/form-data')
  return {
    ...{ pointer, contentType, isRequired: value.required === true, schema: read },
    ...(isInParts && { files: filesIn(source, read, media.encoding) }),
    example: media.example ?? (isObject(named) ? named.value : undefined),
    content: pointerTo(pointer, 'content')
  }
}

/** The fields of a form that are files, each with its content type. */
function filesIn(
  source: ImportSource,
  { properties }: FlatSchema,
  encoding: unknown
): Record<string, string> {
  const all = Object.entries(properties).flatMap(([name, at]): [string, string][] => {
    const { value } = followed(source, at)
    const { contentType } = Object(isObject(encoding) ? encoding[name] : undefined)
    const { format, contentMediaType } = Object(value)
    const isFile = format === 'binary' || contentMediaType !== undefined
    const [type] = String(contentType ?? contentMediaType ?? 'application/octet-stream').split(',')
    return isFile ? [[name, type!.trim().replace('*/*', 'application/octet-stream')]] : []
  })
  return Object.fromEntries(all)
}

/** What is asked for in every way to be let in; none where somebody without anything is. */
function securityOf(
  source: ImportSource,
  at: Located
): Pick<ImportedOperation, 'security' | 'demands' | 'securityAt'> {
  const isOwn = Array.isArray(at.value.security)
  const demands: unknown = isOwn ? at.value.security : source.value.security
  const isOpen = (one: unknown) => Object.keys(Object(one)).length === 0
  if (!Array.isArray(demands) || demands.length === 0 || demands.some(isOpen)) {
    return { security: [], demands: [] }
  }
  const securityAt = pointerTo(isOwn ? at.pointer : '', 'security')
  const schemes = demands.map((one, index) =>
    Object.entries<any>(Object(one)).flatMap(([name, scopes]) => {
      const from = located(source, pointerTo('/components/securitySchemes', name))
      if (from === undefined) source.odd.add(pointerTo(securityAt, index, name))
      return from === undefined ? [] : schemeOf(followed(source, from), name, scopes)
    })
  )
  return { security: schemes.flat(), demands: schemes, securityAt }
}

function schemeOf({ value, pointer }: Located, name: string, scopes: unknown): Scheme[] {
  const common = { name, pointer, scopes: Array.isArray(scopes) ? scopes : [] }
  const { type, in: place, name: parameter, scheme = 'bearer' } = Object(value)
  if (type === 'apiKey') {
    return typeof parameter === 'string' && ['header', 'query', 'cookie'].includes(place)
      ? [{ ...common, in: place, parameter, wrong: 'plimsoll-wrong' }]
      : []
  }
  if (!['http', 'oauth2', 'openIdConnect'].includes(type)) return []
  const isBasic = type === 'http' && String(scheme).toLowerCase() === 'basic'
  const wrong = isBasic ? `Basic ${btoa('plimsoll:wrong')}` : 'Bearer plimsoll-wrong'
  return [{ ...common, in: 'header', parameter: 'authorization', wrong }]
}

/** Responses that a valid request may come to, by status: redirects where there are no others. */
export function successes({ responses }: ImportedOperation): [string, Located][] {
  const all = Object.entries(responses)
  const usual = all.filter(([status]) => /^2/.test(status))
  return usual.length > 0 ? usual : all.filter(([status]) => isLeading(status))
}
