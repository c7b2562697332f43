import { followed } from './references.ts'
import { type FlatSchema, flat } from './schema.ts'
import { type ImportSource, isObject, type Located, pointerTo } from './source.ts'
import { isPlain } from './violated.ts'

/** Where a parameter stands in a request. */
export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie'

/** A parameter of an operation. */
export type Parameter = {
  name: string
  in: ParameterPlace
  pointer: string
  /** Of what says that it is required; undefined where nothing can be asked about that. */
  requiredAt?: string
  isRequired: boolean
  schema: FlatSchema
  example?: unknown
  /** What its items are separated by, where its name does not come once for each. */
  separator?: string
  /** Whether its fields come one by one: `filter[name]=x`. */
  isDeep?: boolean
  /** Why its values cannot be written as they have to be; undefined where they can. */
  odd?: string
}

/** Styles in which values are not written. */
const unwritten = ['matrix', 'label', 'deepObject']

/** Headers that are no parameters, as the specification says, or that whoever sends them writes. */
const reserved = [
  ...['accept', 'content-type', 'authorization', 'content-length', 'host', 'connection'],
  ...['transfer-encoding', 'expect', 'upgrade', 'keep-alive', 'te', 'trailer']
]

/** By style, what stands between the items of a list in a query that has its name once. */
const separators: Record<string, string> = { form: ',', pipeDelimited: '|', spaceDelimited: ' ' }

const places = ['path', 'query', 'header', 'cookie']

const exampleOf = ({ example, examples }: Record<string, any>): unknown => {
  const [named] = Object.values<any>(isObject(examples) ? examples : {})
  return example ?? Object(named).value
}

const isObjectSchema = ({ types, properties }: FlatSchema) =>
  types.includes('object') || Object.keys(properties).length > 0

/** Whether it is an object of words and numbers alone: how others are written nobody says. */
const isFlat = (source: ImportSource, schema: FlatSchema) =>
  isObjectSchema(schema) &&
  schema.choices.length === 0 &&
  Object.values(schema.properties).every((at) => {
    const own = flat(source, at)
    return isPlain(own) || 'enum' in own.keywords || 'const' in own.keywords
  })

/** What a parameter of a document comes to; what is none is noted. */
export function parametersAt(source: ImportSource, from: Located): Parameter[] {
  const at = followed(source, from)
  const { value, pointer } = at
  const { name, in: place, schema = {}, required, style = 'form', content } = Object(value)
  if (place === 'querystring') return wholeQuery(source, at)
  if (typeof name !== 'string' || !places.includes(place)) {
    source.odd.add(pointer)
    return []
  }
  if (place === 'header' && reserved.includes(name.toLowerCase())) return []
  const read = flat(source, { value: schema, pointer: pointerTo(pointer, 'schema') })
  const isList = read.types.includes('array') && place === 'query'
  // Only `form` has a list explode unless it is said not to.
  const isOnce = isList && (value.explode === false || style !== 'form')
  const separator = isOnce ? separators[style] : undefined
  const isDeep = style === 'deepObject' && place === 'query' && isFlat(source, read)
  const isWhole = isObjectSchema(read) && !isDeep
  const isOdd = content !== undefined || isWhole || (isOnce && separator === undefined)
  const odd = isOdd || (unwritten.includes(style) && !isDeep)
  return [
    {
      ...{ name, in: place, pointer, schema: read },
      ...{ requiredAt: pointerTo(pointer, 'required'), example: exampleOf(value) },
      isRequired: required === true || place === 'path',
      ...(separator !== undefined && { separator }),
      ...(isDeep && !odd && { isDeep }),
      ...(odd && { odd: `${name}: how it is written` })
    }
  ]
}

/**
 * The parameters that a query as a whole comes to, as OpenAPI 3.2 describes one: the fields of its
 * form. In other forms it is not written.
 */
function wholeQuery(source: ImportSource, { value, pointer }: Located): Parameter[] {
  const [[type, media] = ['', {}]] = Object.entries<any>(Object(value.content))
  const at = pointerTo(pointer, 'content', type, 'schema')
  const schema = flat(source, { value: Object(media).schema ?? {}, pointer: at })
  const isForm = type.startsWith('application/x-www-form-urlencoded')
  const isRequired = value.required === true
  if (!isForm || schema.choices.length > 0 || schema.isPartial) {
    const name = typeof value.name === 'string' ? value.name : 'the query'
    const odd = `${name}: how it is written, as ${type || 'nothing'}`
    const requiredAt = pointerTo(pointer, 'required')
    return [{ name, in: 'query', pointer, requiredAt, isRequired, schema, odd }]
  }
  const example = Object(exampleOf(media) ?? exampleOf(value))
  return Object.entries(schema.properties).map(([name, from]) => {
    const read = flat(source, from)
    return {
      ...{ name, in: 'query' as const, pointer: from.pointer, schema: read },
      // Of a query that may be left out, a field may be missing where all the others are, too.
      ...(isRequired && { requiredAt: schema.required[name]?.pointer }),
      isRequired: name in schema.required,
      ...(Object.hasOwn(example, name) && { example: example[name] }),
      ...(isObjectSchema(read) && { odd: `${name}: how it is written` })
    }
  })
}
