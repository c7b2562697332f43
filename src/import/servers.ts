import type { ImportedOperation } from './operations.ts'
import { type ImportSource, isObject } from './source.ts'

/** Where a server of a document is: an origin, '' for that of whoever serves the document. */
type Place = { origin: string; base: string }

/** Where the operations of a document are asked. */
export type Placed = {
  /** What stands before every path: '' or `/v1`. */
  base: string
  /** What stands before the path of an operation beside that, by its name. */
  own: Map<string, string>
  /** Operations that are elsewhere, by name, with where that is. */
  elsewhere: Map<string, string>
}

/** The first of some servers, with its variables as by default; undefined where there is none. */
function firstOf(servers: unknown): Place | undefined {
  const [server] = Array.isArray(servers) ? servers : []
  if (!isObject(server) || typeof server.url !== 'string') return
  const variables = isObject(server.variables) ? server.variables : {}
  const url = server.url.replaceAll(/\{([^}]+)\}/g, (_, name: string) =>
    String(Object(Object.hasOwn(variables, name) ? variables[name] : {}).default ?? name)
  )
  // One that says only a path is where the document is.
  const here = 'http://here.invalid'
  if (!URL.canParse(url, here)) return
  const { origin, pathname } = new URL(url, here)
  return { origin: origin === here ? '' : origin, base: pathname.replace(/\/+$/, '') }
}

const parts = (base: string) => base.split('/').slice(1)

/** What all of some bases begin with. */
function common(bases: readonly string[]): string {
  const [first = [], ...others] = bases.map(parts)
  const end = first.findIndex((part, index) => others.some((other) => other[index] !== part))
  const shared = end < 0 ? first : first.slice(0, end)
  return shared.map((part) => `/${part}`).join('')
}

/**
 * Where operations are asked of a target, by what `servers` says of the whole, of a path and of an
 * operation, in that order of precedence. A path that the target's URL has stands for that of the
 * whole document, or ends with it; without one, it is what the document says.
 */
export function placed(
  { value }: ImportSource,
  operations: readonly ImportedOperation[],
  target: string
): Placed {
  const whole = firstOf(Object(value).servers) ?? { origin: '', base: '' }
  const given = new URL(target).pathname.replace(/\/+$/, '')
  const placeOf = ({ servers }: ImportedOperation) =>
    servers.map(firstOf).find((one) => one !== undefined) ?? whole
  const elsewhere = new Map<string, string>()
  const bases = new Map<string, string>()
  for (const operation of operations) {
    const place = placeOf(operation)
    const isHere = [whole.origin, ''].includes(place.origin) || whole.origin === ''
    if (isHere) bases.set(operation.name, place.base)
    else elsewhere.set(operation.name, `${place.origin}${place.base}`)
  }
  const shared = common([...bases.values()])
  // The latter is what a target file has that an import wrote.
  const end = [whole.base, shared].find((base) => given.endsWith(base))
  if (given !== '' && end === undefined) {
    for (const [name, base] of bases) if (base !== whole.base) elsewhere.set(name, base)
    return { base: given, own: new Map(), elsewhere }
  }
  const own = [...bases].map(([name, base]) => [name, base.slice(shared.length)] as const)
  return {
    base: `${given.slice(0, given.length - (end ?? '').length)}${shared}`,
    own: new Map(own.filter(([, base]) => base !== '')),
    elsewhere
  }
}
