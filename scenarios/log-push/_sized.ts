import { and, eq, type Filter, or, where } from './_filter.ts'

/** What filters compare, where nothing else is said. */
export const field = 'ClientRequestPath'
/** A filter for one text alone, of one field. */
export const ofValue = (value: string, key = field) => where(and(eq(key, value)))
const shortest = ofValue('')

/** A filter of so many bytes of UTF-8, or hardly fewer, most of them in one character repeated. */
export function ofBytes(size: number, letter = 'a'): string {
  const left = size - shortest.length
  return ofValue(letter.repeat(Math.floor(left / Buffer.byteLength(letter))))
}

/** A part of a filter in so many `and`s or `or`s, each around the one before it. */
function within(part: Filter, depth: number): Filter {
  return Array.from({ length: depth }).reduce(
    (inner: Filter, _, at) => (at % 2 ? or(inner) : and(inner)),
    part
  )
}

/** Where in a filter those stand: around all of it, around one part of it, or shared out. */
const places = {
  outside: (parts: Filter[], depth: number) => within(and(...parts), depth),
  'in its last part': (parts: Filter[], depth: number) =>
    and(...parts.slice(1), within(parts[0]!, depth)),
  'in each part': (parts: Filter[], depth: number) =>
    or(...parts.map((part, at) => within(part, Math.ceil((depth - at) / parts.length))))
}

type Place = keyof typeof places

/**
 * A filter of so many operators: comparisons, and an `and` or `or` for each other one. Both kinds
 * are there, so that neither counts for none or for two.
 */
export function ofOperators(size: number, place: Place = 'outside', key = field): string {
  const comparisons = Math.min(8, size - 1)
  const parts = Array.from({ length: comparisons }, () => eq(key, '/'))
  return where(places[place](parts, size - comparisons - 1))
}

/** How many words are around each comparison of a filter that is as wide as it can be. */
export const depths = [1, 2, 4, 9]

/** Bytes of a filter that is well below the limit of those, of which it has nothing to tell. */
const wideBytes = 870

/**
 * A filter with so many words around each comparison, and one of the same words and comparisons
 * with all of the words around all of them: they have as many of each kind, and as many bytes.
 */
export function alike(depth: number, key: string): [wide: string, deep: string] {
  const one = eq(key, '')
  const around = (part: Filter, words: number) =>
    Array.from({ length: words }).reduce((inner: Filter) => and(inner), part)
  const room = wideBytes - where(and()).length
  const count = Math.floor(room / (JSON.stringify(around(one, depth)).length + 1))
  const parts = Array.from({ length: count }, () => one)
  const wide = and(...parts.map((part) => around(part, depth)))
  return [where(wide), where(around(and(...parts), count * depth))]
}

/** As many bytes in other writings of JSON: what means nothing is part of a filter as well. */
export const writings: { [writing: string]: (size: number) => string } = {
  'blanks between its tokens': (size) =>
    shortest.replace('{"and"', (token) => ' '.repeat(size - shortest.length) + token),
  'letters that are escaped': (size) => {
    const letters = Math.floor((size - shortest.length) / 6)
    return shortest.replace('"value":"', (token) => token + '\\u0061'.repeat(letters))
  }
}
