import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Found } from './found.ts'
import { nearest, orNearest } from './nearest.ts'
import { keysOf } from './place.ts'
import { parseSamples, type Samples } from './samples.ts'

/** Methods by which something is removed, and those by which nothing is. */
const removing = ['DELETE', 'POST', 'PUT', 'PATCH']
const reading = ['GET', 'HEAD', 'OPTIONS', 'QUERY', 'TRACE']

/** The parts of a request that a place may be in. */
const parts = ['path', 'query', 'header', 'cookie', 'body']

/** An operation as its `_request.ts` says it: what can be read of that without running it. */
type Known = { name: string; text: string; inPath: string[] }

/** The text of a field of an operation, which stands on a line of its own. */
const fieldIn = (text: string, name: string) =>
  new RegExp(`^ {2}${name}: '([^'\\\\]*)'`, 'm').exec(text)?.[1] ?? ''

const placeholders = (path: string) => [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!)

/** The fields of what a shape is about, as far as it names any. */
function fieldsOf(shape: any, defs: Record<string, any>, deep = 0): string[] {
  if (shape === null || typeof shape !== 'object' || deep > 20) return []
  const { $ref, properties, allOf = [], anyOf = [], oneOf = [] } = shape
  const target = typeof $ref === 'string' ? defs[$ref.replace('#/$defs/', '')] : undefined
  const all = [target, ...[allOf, anyOf, oneOf].flat()]
  const own = Object.keys(Object(properties))
  return [...own, ...all.flatMap((part) => fieldsOf(part, defs, deep + 1))]
}

/** The fields of the answers that an operation names by reference; none where unknown. */
function answerFields({ text }: Known, folder: string): string[] {
  const schemas = join(folder, '_schemas.json')
  if (!existsSync(schemas)) return []
  const [, answers = ''] = text.split(/^ {2}answers: /m)
  const defs = Object(JSON.parse(readFileSync(schemas, 'utf8')).$defs)
  const named = [...answers.matchAll(/\$ref: '(#\/\$defs\/[^']+)'/g)]
  return named.flatMap(([, $ref]) => fieldsOf({ $ref }, defs))
}

/** The way from an operation by what makes its thing back to where it was before, if any. */
function circleFrom(name: string, { operations }: Samples): string[] | undefined {
  const way = [name]
  for (;;) {
    const last = way.at(-1)!
    const by = Object.hasOwn(operations, last) ? operations[last]!.make?.by : undefined
    if (by === undefined) return undefined
    if (way.includes(by)) return by === name ? [...way, by] : undefined
    way.push(by)
  }
}

/** What is wrong with a removal: `DELETE /pets/{id}`. */
function removalFault(remove: string, known: Known, folder: string): string | undefined {
  const [, method, path] = /^(\S+)\s+(\/.*)$/.exec(remove) ?? []
  if (method === undefined || path === undefined) {
    return `it is no method and path, as "DELETE /pets/{id}" is: ${remove}`
  }
  const isMisspelt = !removing.includes(method) && nearest(method, removing).length > 0
  if (reading.includes(method) || isMisspelt) {
    return `nothing is removed by ${method}${orNearest(method, removing)}`
  }
  const fields = answerFields(known, folder)
  const lost = fields.length > 0 && placeholders(path).find((one) => !fields.includes(one))
  return lost ? `the answer of ${known.name} has no ${lost}${orNearest(lost, fields)}` : undefined
}

/** What is wrong with a place in a request, as far as that can be told. */
function placeFault(place: string, { inPath }: Known): string | undefined {
  const [part, name] = keysOf(place).map(String)
  if (!parts.includes(part!)) return `a place begins with one of ${parts.join(', ')}`
  if (part !== 'path' || name === undefined || inPath.includes(name)) return undefined
  return `its path has no {${name}}${orNearest(name, inPath)}`
}

/** Parameters that no operation has, and that hardly differ from one that some has. */
function parameterFaults({ parameters }: Samples, known: readonly Known[]): string[] {
  const all = known.map(({ text }) => text).join('\n')
  const inPaths = [...new Set(known.flatMap(({ inPath }) => inPath))]
  return Object.keys(parameters).flatMap((name) => {
    const near = all.includes(name) ? '' : orNearest(name, inPaths)
    return near === '' ? [] : [`parameters.${name}: no operation has it${near}`]
  })
}

/** All that is wrong with the samples of a folder of some operations. */
function faultsIn(samples: Samples, folder: string, known: readonly Known[]): string[] {
  const faults = parameterFaults(samples, known)
  const names = known.map(({ name }) => name)
  const circles = new Set<string>()
  for (const [name, { make, remove, set, fresh }] of Object.entries(samples.operations)) {
    const at = `operations.${name}`
    const own = known.find((one) => one.name === name)
    if (own === undefined) {
      faults.push(`${at}: there is no such operation${orNearest(name, names)}`)
      continue
    }
    const places = { set: Object.keys(set), fresh, 'make.take': Object.keys(make?.take ?? {}) }
    for (const [field, those] of Object.entries(places)) {
      for (const place of those) {
        const fault = placeFault(place, own)
        if (fault !== undefined) faults.push(`${at}.${field}, ${place}: ${fault}`)
      }
    }
    if (make !== undefined && !names.includes(make.by)) {
      faults.push(`${at}.make.by: no operation "${make.by}"${orNearest(make.by, names)}`)
    }
    const circle = circleFrom(name, samples)
    const first = circle?.toSorted()[0]
    if (circle !== undefined && !circles.has(first!)) {
      circles.add(first!)
      faults.push(`${at}.make.by: what it needs is made by itself: ${circle.join(', by ')}`)
    }
    const fault = remove === undefined ? undefined : removalFault(remove, own, folder)
    if (fault !== undefined) faults.push(`${at}.remove: ${fault}`)
  }
  return faults
}

/** The operations whose folders stand in a folder. */
function knownIn(folder: string, operations: readonly string[]): Known[] {
  const own = operations.filter((one) => dirname(one) === folder)
  return own.map((one) => {
    const text = readFileSync(join(one, '_request.ts'), 'utf8')
    return { name: basename(one), text, inPath: placeholders(fieldIn(text, 'path')) }
  })
}

/**
 * Throws an Error that says all that is wrong with the samples.yaml of a folder of scenarios, where
 * there is one: names that are none, things that are needed to make themselves, and removals that
 * cannot remove.
 */
export async function insistOnSamples(folder: string, found: readonly Found[]): Promise<void> {
  const folders = new Set(found.map(({ file }) => dirname(file)))
  const operations = [...folders].filter((one) => existsSync(join(one, '_request.ts')))
  for (const place of new Set([folder, ...operations.map((one) => dirname(one))])) {
    const file = join(place, 'samples.yaml')
    if (!existsSync(file)) continue
    const known = knownIn(place, operations)
    if (known.length === 0) continue
    // What is not set in the environment is missed where it is used.
    const samples = await parseSamples(readFileSync(file, 'utf8'), file, { isFilled: false })
    const faults = faultsIn(samples, place, known)
    if (faults.length > 0) throw new Error(faults.map((one) => `${file}: ${one}`).join('\n'))
  }
}
