import type { Reply } from '../client/reply.ts'

/** What of an answer can be told from another though no two are alike. */
export type Marks = {
  /** Media type and, of a page, its title. */
  kind: string
  /** Names in a JSON object; tags of a page. */
  names: ReadonlySet<string>
  bytes: number
}

/** By how much more or less than all others an answer is of another size, and by how many bytes. */
const farOff = 2
const leastOff = 16

/** How much of a body is looked at for names and tags. */
const looked = 4_096

/** Of how many answers there have to be one of each kind, so that a new kind is another. */
const perKind = 3

/** What of a reply can be told from another. */
export function marksOf({ headers, body, json, received }: Reply): Marks {
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  const start = body.slice(0, looked)
  const [, title = ''] = /<title[^>]*>([^<]*)/i.exec(start) ?? []
  const isNamed = typeof json === 'object' && json !== null && !Array.isArray(json)
  const tags = [...start.matchAll(/<([a-z][a-z0-9]*)/gi)].map(([, tag]) => tag!.toLowerCase())
  return {
    kind: `${type.trim().toLowerCase()} ${title.replaceAll(/\d+/g, '#').trim()}`,
    names: new Set(isNamed ? Object.keys(json) : tags),
    bytes: received
  }
}

/** What answers have in common that differ each time: kinds, names in all of them, sizes. */
export type Range = {
  add: (marks: Marks) => void
  /** Whether an answer may be one of them: it is not of another kind, make, or size. */
  has: (marks: Marks) => boolean
}

/** A range of those so far. */
export function rangeOf(first: readonly Marks[]): Range {
  const kinds = new Set<string>()
  let [count, least, most] = [0, Number.POSITIVE_INFINITY, 0]
  let common: ReadonlySet<string> | undefined
  const range: Range = {
    add({ kind, names, bytes }) {
      count++
      kinds.add(kind)
      common = common ? new Set([...common].filter((name) => names.has(name))) : names
      least = Math.min(least, bytes)
      most = Math.max(most, bytes)
    },
    has({ kind, names, bytes }) {
      const isKnown = kinds.has(kind) || kinds.size * perKind > count
      const isMade = !common || common.size === 0 || [...common].some((name) => names.has(name))
      const isLess = bytes * farOff < least && bytes + leastOff <= least
      const isMore = bytes > farOff * most && bytes >= most + leastOff
      return isKnown && isMade && !isLess && !isMore
    }
  }
  for (const marks of first) range.add(marks)
  return range
}
