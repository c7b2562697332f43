import type { Coerced, ConstraintSubject } from './how-asked.ts'
import { missesOf } from './pattern-misses.ts'
import type { SampleValue } from './sample.ts'
import type { FlatSchema } from './schema.ts'
import { matches } from './strings.ts'
import { violated } from './violated.ts'

/** Texts that hardly any pattern matches: one of them is asked about that does not match. */
const misfits = ['§ §', '!', 'x', '0', ' ', '§'.repeat(12), 'x'.repeat(40), '-'.repeat(8)]

/** Texts of formats, of kinds that a pattern may not mean. */
const oddOfFormat: Record<string, string[]> = {
  uri: ['ftp://example.com/a', 'urn:x:y', 'https://example.com/~%20'],
  url: ['ftp://example.com/a', 'https://example.com/~%20'],
  email: ['x@example.org', 'x+y@example.net'],
  hostname: ['x', 'example.org'],
  'date-time': ['1999-12-31T23:59:59Z', '2026-03-04T05:06:07.891+01:00'],
  date: ['1999-12-31', '2400-02-29'],
  ipv4: ['10.0.0.1', '203.0.113.9'],
  ipv6: ['::1', 'fe80::1'],
  uuid: ['00000000-0000-0000-0000-000000000000', 'FFFFFFFF-FFFF-4FFF-BFFF-FFFFFFFFFFFF']
}

/** As many texts are asked about that hardly do not match. */
const mostNear = 14

/** By as many letters a text is made longer, to see whether a pattern counts them. */
const mostGrown = 64

/** One of each kind of letter, each of which some set of letters may have by mistake. */
const kinds: [kind: RegExp, letter: string][] = [
  [/[a-z]/, 'a'],
  [/[A-Z]/, 'X'],
  [/\d/, '0'],
  [/_/, '_'],
  [/-/, '-']
]

const isWord = (letter: string) => /^[A-Za-z0-9]$/.test(letter)

/** The letters just beyond the ranges of a pattern: 5 of `[0-4]`. */
function beside(pattern: string): string[] {
  const ends = [...pattern.matchAll(/([A-Za-z0-9])-([A-Za-z0-9])/g)]
  const all = ends.flatMap(([, low, high]) => [
    String.fromCodePoint(high!.codePointAt(0)! + 1),
    String.fromCodePoint(low!.codePointAt(0)! - 1)
  ])
  return all.filter(isWord)
}

/**
 * Texts that differ from one that matches by little: by a letter before or behind it, of its own
 * kind or another, by one that lacks, or that is of another kind, or by as many at its end as it
 * takes. What begins or ends with a space
 * is not among them, which many a service takes away.
 */
function near(text: string, pattern: string): string[] {
  const letters = [...text]
  const [first, last] = [letters[0], letters.at(-1)]
  if (first === undefined || last === undefined) return []
  const misses = (one: string) => one !== '' && one === one.trim() && !matches(pattern, one)
  const firstOf = (all: string[]) => all.filter(misses).slice(0, 1)
  // A tag that is only like another stands behind `W/`.
  const foreign = kinds.map(([, letter]) => letter).filter((letter) => !text.includes(letter))
  const others = [...(first === '"' ? ['W/'] : []), ...foreign, '!']
  // Where a pattern counts, the first that is too long or too short is just beyond its number.
  const grown = Array.from({ length: mostGrown }, (_, more) => text + last.repeat(more + 1))
  const shrunk = letters.map((_, left) => letters.slice(0, left).join('')).reverse()
  const ends = [
    firstOf(shrunk),
    firstOf([letters.slice(1).join('')]),
    firstOf([first + text]),
    firstOf(grown),
    firstOf(others.map((letter) => letter + text)),
    firstOf(others.map((letter) => text + letter))
  ].flat()
  // Of each kind of letter that there is, the last one is another.
  const places = [...kinds.slice(0, 3).map(([kind]) => kind), /[^A-Za-z0-9]/].flatMap((kind) => {
    const at = letters.findLastIndex((letter) => kind.test(letter))
    return at < 0 ? [] : [at]
  })
  // X is none of sixteen digits.
  const digits = /\d/.test(text) ? ['A'] : []
  const next = [...beside(pattern), ...kinds.map(([, letter]) => letter), ...digits]
  const swapped = next.flatMap((letter) =>
    places.map((at) => letters.with(at, letter).join('')).filter((one) => one !== text)
  )
  return [...new Set([...ends, ...swapped.filter(misses)])].slice(0, mostNear)
}

/** Texts that a schema refuses for its pattern, where it can be for nothing but that. */
export function misfitsOf(schema: FlatSchema, sample: SampleValue): string[] {
  const { pattern, format } = schema.keywords
  const odd = Object.hasOwn(oddOfFormat, format?.value) ? oddOfFormat[format!.value]! : []
  const own = odd.filter((text) => matches(pattern!.value, text) === false)
  const isText = typeof sample?.value === 'string' && own.length === 0
  const close = isText ? near(sample.value as string, pattern!.value) : []
  const fits = (text: string) => violated(text, schema).every((name) => name === 'pattern')
  const far = (own.length > 0 ? own : misfits).filter((text) => !matches(pattern!.value, text))
  const isMiss = (text: string) => matches(pattern!.value, text) === false && fits(text)
  const misses = isText ? missesOf(pattern!.value, isMiss) : []
  return [...new Set([...far.filter(fits).slice(0, 3), ...close, ...misses])]
}

/** Values of the same type that a list does not have. */
export function strangers(values: readonly unknown[], schema: FlatSchema): unknown[] {
  const kind = typeof values[0]
  const numbers = values.filter((one) => typeof one === 'number')
  const all: unknown[] =
    kind === 'number'
      ? [Math.max(...numbers) + 1, Math.min(...numbers) - 1]
      : kind === 'boolean'
        ? [values[0] !== true]
        : ['none-of-these', 'none', 'zz', 'q', `${values[0]}x`.slice(0, 100)]
  const cased = values.flatMap((value) =>
    typeof value === 'string' ? [value.toUpperCase(), value.toLowerCase()] : []
  )
  const isStrange = (value: unknown) =>
    violated(value, schema).every((name) => name === 'enum' || name === 'const')
  const listed = new Set(values)
  const strange = (some: unknown[]) => {
    const at = some.findIndex((value) => !listed.has(value) && isStrange(value))
    return at < 0 ? [] : [some[at]]
  }
  return [...strange(all), ...strange(cased)]
}

/** Values that no service takes for one of a type, however it makes one of others. */
export function untypedFor(type: string, sample: SampleValue): unknown[] {
  const value = sample?.value
  // Half a unit beside what is taken: farther off it might be beyond a bound as well.
  if (type === 'integer' && typeof value === 'number') return [value + 0.5, value - 0.5, 'x']
  return untyped[type]!
}

/** Null, where a schema takes it beside others, and it can be sent as a part of a body. */
export function nullFor({ schema, isText, at }: ConstraintSubject): null[] {
  return schema.isNullable === true && !isText && at !== 'body' ? [null] : []
}

const untyped: Record<string, unknown[]> = {
  string: [{}],
  integer: [1.5, 'x'],
  number: ['x'],
  boolean: ['x'],
  object: ['x'],
  null: ['x']
}

/**
 * Null of a field that has to be there and may not be null: many a service takes null for what may
 * be left out. Beside it a value of which whoever makes one type of another makes one as well.
 */
export function nullRefused({
  schema,
  sample,
  inner,
  isText,
  isRequired
}: ConstraintSubject): Coerced | undefined {
  const [type] = schema.types
  if (isText || isRequired !== true || schema.isNullable === true || type === 'null') return
  // Most services take null of what is called so, whatever else is said of it.
  if (schema.isCalledNullable || violated(null, schema).some((name) => name !== 'type')) return
  const value = sample?.value
  const like =
    type === 'array'
      ? inner?.value
      : typeof value === 'string'
        ? Number('5'.repeat(Math.min(15, Math.max(1, value.length))))
        : String(value)
  // Of null a text of nothing is made: who takes that, and not the other, is not told apart.
  const isApart = typeof value !== 'string' || schema.keywords.pattern === undefined
  return isApart ? { like, refused: null } : undefined
}
