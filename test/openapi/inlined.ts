/** A piece of an OpenAPI file. */
export type Tree = { [key: string]: any }

/** The ways of HTTP that a path item may have. */
export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

/** A name as JSON pointers have it, and the other way. */
export const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')
const plain = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~')

/** A reference to a piece that refers to nothing on its way to itself. */
const depth = 24

/**
 * An OpenAPI file in which no operation shares anything with another: each reference is replaced by
 * what it leads to, so that one constraint of one operation can be changed. Where a schema contains
 * itself, the inner one accepts everything.
 */
export type Inlined = {
  document: Tree
  /** Where a piece stands in the file, as a JSON pointer: `/components/schemas/User`. */
  pointerOf: (piece: object) => string | undefined
}

/** Resolves all references of an OpenAPI file. */
export function inlined(source: Tree): Inlined {
  const pointers = new WeakMap<object, string>()
  const at = (pointer: string) =>
    pointer
      .split('/')
      .slice(1)
      .reduce<any>((tree, key) => tree?.[plain(decodeURIComponent(key))], source)

  const resolved = (tree: any, pointer: string, within: readonly string[]): any => {
    if (tree === null || typeof tree !== 'object') return tree
    if (typeof tree.$ref === 'string') {
      const target = tree.$ref.slice(1)
      if (within.includes(target) || within.length > depth) return {}
      return resolved(at(target), target, [...within, target])
    }
    const below = (key: string | number, value: any) =>
      resolved(value, `${pointer}/${escaped(`${key}`)}`, within)
    const copy: any = Array.isArray(tree)
      ? tree.map((value, index) => below(index, value))
      : Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, below(key, value)]))
    pointers.set(copy, pointer)
    return copy
  }

  const { components, ...rest } = source
  const schemes = components?.securitySchemes
  const document = {
    ...resolved(rest, '', []),
    ...(schemes && { components: { securitySchemes: schemes } })
  }
  for (const [path, item] of Object.entries<Tree>(document.paths ?? {})) {
    // What a path asks of all its methods is written into each.
    const shared = () => resolved(item.parameters ?? [], `/paths/${escaped(path)}/parameters`, [])
    for (const method of methods.filter((one) => item[one] !== undefined)) {
      const own: Tree[] = item[method].parameters ?? []
      const isOwn = (one: Tree) =>
        own.some((other) => other.name === one.name && other.in === one.in)
      item[method].parameters = [...shared().filter((one: Tree) => !isOwn(one)), ...own]
    }
    delete item.parameters
  }
  return { document, pointerOf: (piece) => pointers.get(piece) }
}

/** What is asked of one method of one path. */
export type Operation = {
  path: string
  method: string
  /** The operation itself; what is changed in it changes the server. */
  piece: Tree
  parameters: Tree[]
  /** Alternatives, each with all the schemes it takes; none where nobody has to sign in. */
  security: Tree[]
}

/** The operations of a file whose references are resolved. */
export function operationsOf(document: Tree): Operation[] {
  return Object.entries<Tree>(document.paths ?? {}).flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => {
        const piece = item[method]
        const security = piece.security ?? document.security ?? []
        return { path, method, piece, parameters: piece.parameters ?? [], security }
      })
  )
}

/** A schema of OpenAPI 3.0 as one of JSON Schema; of 3.1 it is one already. */
export function jsonSchema(schema: any): any {
  if (Array.isArray(schema)) return schema.map(jsonSchema)
  if (schema === null || typeof schema !== 'object') return schema
  const { nullable, example: _, discriminator: __, xml: ___, ...rest } = schema
  const copy: Tree = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, inner(key, value)])
  )
  for (const [flag, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum']
  ] as const) {
    if (typeof copy[flag] !== 'boolean') continue
    if (copy[flag]) {
      copy[flag] = copy[bound]
      delete copy[bound]
    } else delete copy[flag]
  }
  if (nullable !== true) return copy
  if (typeof copy.type !== 'string') return { anyOf: [copy, { type: 'null' }] }
  return { ...copy, type: [copy.type, 'null'], ...(copy.enum && { enum: [...copy.enum, null] }) }
}

function inner(key: string, value: any): any {
  const isNamed = ['properties', 'patternProperties', '$defs', 'dependentSchemas'].includes(key)
  if (isNamed && value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, jsonSchema(one)]))
  }
  const isData = ['enum', 'const', 'default', 'examples', 'required', 'type'].includes(key)
  return isData ? value : jsonSchema(value)
}
