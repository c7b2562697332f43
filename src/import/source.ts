import {
  type Document,
  isAlias,
  isNode,
  isScalar,
  LineCounter,
  type Node,
  parseDocument,
  visit
} from 'yaml'

/** A place in a source, and what stands there. */
export type Located<Value = any> = {
  value: Value
  pointer: string
  /** Where more is said of the same, all of which holds. */
  also?: readonly Located[]
}

/** A document for machines, as JSON or YAML has it. */
export type ImportSource = {
  /** The name of its file. */
  file: string
  value: any
  /** The line, from 1, on which a JSON pointer's value stands, or else what that is in. */
  lineOf: (pointer: string) => number
  /** Pointers to what is not as its specification has it, and was left out for that. */
  odd: Set<string>
  /** Keys that come twice in one map, of which the last counts, each with its line. */
  doubled: () => string[]
}

/** More than the largest public documents have, of which some have 12 MB. */
const mostBytes = 33_554_432

/** How often all aliases together may be repeated: what grows by more is made to. */
const mostAliases = 1_000

/** How many values a document may have; what aliases repeat counts each time. */
const mostValues = 2_000_000

/** How deep a document may be nested; the deepest public ones come to some 40. */
const deepest = 200

/** Whether a value of a source is a map. */
export const isObject = (value: unknown): value is Record<string, any> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const escaped = (key: string) => key.replaceAll('~', '~0').replaceAll('/', '~1')
const unescaped = (key: string) => key.replaceAll('~1', '/').replaceAll('~0', '~')

/** The pointer to a key below another. */
export function pointerTo(pointer: string, ...keys: (string | number)[]): string {
  return [pointer, ...keys.map((key) => escaped(String(key)))].join('/')
}

function keysIn(pointer: string): string[] {
  return pointer.split('/').slice(1).map(unescaped)
}

/** What a pointer leads to; undefined where there is nothing. */
export function located({ value }: ImportSource, pointer: string): Located | undefined {
  let found = value
  for (const key of keysIn(pointer)) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, key)) return undefined
    found = found[key]
  }
  return { value: found, pointer }
}

/**
 * Where what is nested too deep, or within itself, stands; undefined where nothing is. Throws an
 * Error where there is too much of it.
 */
function abyss(value: unknown, file: string): string | undefined {
  type Step = { value: unknown; key: string; depth: number; above?: Step }
  let seen = 0
  const pending: Step[] = [{ value, key: '', depth: 0 }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.depth > deepest) return wayTo(next)
    if (++seen > mostValues) {
      throw new Error(`${file} has more than ${mostValues} values: import a part of it`)
    }
    if (next.value === null || typeof next.value !== 'object') continue
    for (const [key, inner] of Object.entries(next.value)) {
      pending.push({ value: inner, key, depth: next.depth + 1, above: next })
    }
  }
  return undefined
}

type Way = { key: string; above?: Way }

/** The pointer to a step. */
function wayTo({ key, above }: Way): string {
  return above === undefined ? '' : pointerTo(wayTo(above), key)
}

/** Many times as many as are taken: with so many lines that begin as a path, none is read. */
const mostPaths = 20_000

/** Refuses what would take longest to be read before it is. */
function insistOnFewPaths(text: string, file: string): void {
  let seen = 0
  for (const _ of text.matchAll(/^[ \t]*["']?\/[^\n:]*:/gm)) {
    if (++seen > mostPaths) {
      throw new Error(`${file} has more than ${mostPaths} paths: import a part of it`)
    }
  }
}

/** What a text says, and the same with the places of its values, which takes many times longer. */
type Reading = { value: unknown; place: () => { document: Document; lines: LineCounter } }

function read(text: string, file: string): Reading {
  if (/^\s*\{/.test(text)) {
    try {
      const value: unknown = JSON.parse(text)
      let placed: ReturnType<Reading['place']> | undefined
      return { value, place: () => (placed ??= readYaml(text, file).place()) }
    } catch (cause) {
      // A map of YAML may begin so, too.
      if (!(cause instanceof SyntaxError)) throw cause
    }
  }
  return readYaml(text, file)
}

function readYaml(text: string, file: string): Reading {
  insistOnFewPaths(text, file)
  const lines = new LineCounter()
  // A file that says it is YAML 1.1 would have dates and bytes, which are no JSON.
  const json = { schema: 'core', resolveKnownTags: false } as const
  const options = { ...json, lineCounter: lines, merge: true, strict: false, uniqueKeys: false }
  try {
    // With 'silent' a second document would be left out in silence.
    const document = parseDocument(text, { ...options, logLevel: 'error' })
    const [error] = document.errors
    if (error?.code === 'MULTIPLE_DOCS') {
      const at = lines.linePos(error.pos[0]).line
      throw new Error(`line ${at} begins a second document: import one of them`)
    }
    if (error && /call stack/.test(error.message)) throw new RangeError(error.message)
    if (error) throw new Error(error.message.split('\n')[0])
    const value: unknown = document.toJS({ maxAliasCount: mostAliases })
    return { value, place: () => ({ document, lines }) }
  } catch (cause) {
    const why = cause instanceof RangeError ? 'it is nested too deep' : (cause as Error).message
    throw new Error(`${file} cannot be read: ${why}`)
  }
}

/** Reads a source; throws an Error that names the file and what is wrong with it. */
export function parseSource(text: string, file: string): ImportSource {
  if (Buffer.byteLength(text) > mostBytes) {
    throw new Error(`${file} is larger than 32 MiB: import a part of it`)
  }
  const { value, place } = read(text, file)
  const bottom = abyss(value, file)
  if (bottom !== undefined) {
    throw new Error(
      `${file} is nested deeper than ${deepest} levels, or in itself: ${bottom.slice(0, 80)}…`
    )
  }
  const lineOf = (pointer: string) => {
    const { document, lines } = place()
    let node: unknown = document.contents
    let offset = 0
    for (const key of keysIn(pointer)) {
      if (isAlias(node)) node = node.resolve(document)
      const pair = pairAt(node, key)
      if (pair === undefined) break
      offset = pair.offset ?? offset
      node = pair.value
    }
    return lines.linePos(offset).line
  }
  return { file, value, lineOf, odd: new Set(), doubled: () => doubledIn(place(), file) }
}

function doubledIn({ document, lines }: ReturnType<Reading['place']>, file: string): string[] {
  const found: string[] = []
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key) || key.value === '<<') continue
        const at = `${file}:${lines.linePos(key.range?.[0] ?? 0).line}`
        if (seen.has(key.value))
          found.push(`${at}: ${key.value} comes twice, and the last one counts`)
        seen.add(key.value)
      }
    }
  })
  return found
}

type Item = { key?: Node; value?: unknown }

/** The items of a map by their keys, of two the last: each of thousands is looked for. */
const keyedItems = new WeakMap<readonly Item[], Map<string, Item>>()

function keyed(items: readonly Item[]): Map<string, Item> {
  const known = keyedItems.get(items) ?? new Map(items.map((one) => [String(one?.key), one]))
  keyedItems.set(items, known)
  return known
}

/** The value of a key, and where in the text the key stands, or an item of a list. */
function pairAt(node: unknown, key: string): { value: unknown; offset?: number } | undefined {
  if (!isNode(node) || !('items' in node)) return
  const items = node.items as Item[]
  const item = keyed(items).get(key)
  if (item !== undefined) return { value: item.value, offset: item.key?.range?.[0] }
  const own = items[Number(key)] as Node | undefined
  return own && { value: own, offset: own.range?.[0] }
}
