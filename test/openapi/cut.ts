/**
 * Cuts operations out of an OpenAPI file, with all that they refer to, for test/openapi/documents:
 *
 *     node test/openapi/cut.ts FILE.json 'get /users' 'post /users' > PART.json
 *
 * Every constraint stays as it is. Descriptions are shortened, extensions and the examples of
 * answers are left out.
 */
import { readFileSync } from 'node:fs'

type Tree = { [key: string]: any }

const longest = 160

/** What a reference within a document leads to. */
function at(document: Tree, reference: string): Tree {
  const keys = reference.slice(2).split('/')
  return keys.reduce<Tree>((tree, key) => tree[plain(key)], document)
}

const plain = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~')

/** A piece of a document without what only people read. */
function trimmed(tree: any, isAnswer = false, isMap = false): any {
  if (Array.isArray(tree)) return tree.map((one) => trimmed(one, isAnswer))
  if (tree === null || typeof tree !== 'object') return tree
  const kept = Object.entries(tree).filter(([key]) => {
    if (isMap) return true
    if (key.startsWith('x-') || key === 'externalDocs') return false
    return !(isAnswer && (key === 'example' || key === 'examples'))
  })
  return Object.fromEntries(
    kept.map(([key, value]) => {
      const isText = !isMap && key === 'description' && typeof value === 'string'
      if (isText) return [key, value.length > longest ? `${value.slice(0, longest)}…` : value]
      const isNamed = ['properties', 'responses', 'headers', 'schemas', 'examples'].includes(key)
      return [key, trimmed(value, isAnswer || key === 'responses', isNamed && !isMap)]
    })
  )
}

/** What is referred to from here, and from there. */
function references(tree: any, document: Tree, found: Set<string>): Set<string> {
  if (tree === null || typeof tree !== 'object') return found
  if (typeof tree.$ref === 'string' && !found.has(tree.$ref)) {
    found.add(tree.$ref)
    references(trimmed(at(document, tree.$ref), tree.$ref.includes('/responses/')), document, found)
  }
  for (const value of Object.values(tree)) references(value, document, found)
  return found
}

function cut(document: Tree, wanted: readonly string[]): Tree {
  const paths: Tree = {}
  for (const name of wanted) {
    const [method, path] = name.split(' ') as [string, string]
    const item = document.paths[path]
    if (item?.[method] === undefined) throw new Error(`${name} is not there`)
    const { parameters } = item
    paths[path] ??= parameters === undefined ? {} : { parameters: trimmed(parameters) }
    paths[path][method] = trimmed(item[method])
  }
  const components: Tree = {}
  for (const reference of [...references(paths, document, new Set())].sort()) {
    const [, , kind, name] = reference.split('/').map(plain) as [string, string, string, string]
    const isAnswer = kind === 'responses'
    components[kind] = { ...components[kind], [name]: trimmed(at(document, reference), isAnswer) }
  }
  const { openapi, security, servers } = document
  const { title, version, license } = document.info
  const { securitySchemes } = document.components
  return {
    ...{ openapi, info: { title, version, license }, servers },
    ...(security && { security }),
    paths,
    components: {
      ...components,
      ...(securitySchemes && { securitySchemes: trimmed(securitySchemes) })
    }
  }
}

const [file, ...wanted] = process.argv.slice(2)
const part = cut(JSON.parse(readFileSync(file!, 'utf8')), wanted)
process.stdout.write(`${JSON.stringify(part, null, 2)}\n`)
