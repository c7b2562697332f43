import { rangeOf } from './numbers.ts'
import { type FlatSchema, flat } from './schema.ts'
import type { ImportSource } from './source.ts'
import { formatOf, textFor } from './strings.ts'
import { isGood, kindOf } from './violated.ts'

/** How values are made of which each is another: by their number, from 0 on. */
export type Distinct = (
  | { kind: 'listed'; values: readonly unknown[] }
  | { kind: 'numbers'; from: number; step: number; count: number }
  /** The number in so many digits, or as it comes for none, between two texts. */
  | { kind: 'texts'; head: string; digits: number; tail: string }
  /** The same object each time, but for a field. */
  | { kind: 'objects'; item: object; field: string; of: Distinct }
) & {
  /** Whether such values may have to name what is there, which no document says. */
  isName?: boolean
}

/** As many are listed at most. */
const mostListed = 400

/** How many there are. */
export function countOf(of: Distinct): number {
  if (of.kind === 'listed') return of.values.length
  if (of.kind === 'numbers') return of.count
  if (of.kind === 'objects') return countOf(of.of)
  return of.digits === 0 ? Infinity : 10 ** of.digits
}

/** The value of a number. */
export function differing(of: Distinct, index: number): unknown {
  if (of.kind === 'listed') return of.values[index]
  if (of.kind === 'numbers') return of.from + of.step * index
  if (of.kind === 'objects') return { ...of.item, [of.field]: differing(of.of, index) }
  return `${of.head}${String(index).padStart(of.digits, '0')}${of.tail}`
}

/** Texts of formats that can be counted; of these a name is only what an id is written in. */
const numbered: Record<string, Pick<Distinct & { kind: 'texts' }, 'head' | 'digits' | 'tail'>> = {
  uuid: { head: '7f0c5c5a-8a55-4b1e-9a39-', digits: 12, tail: '' },
  email: { head: 'x', digits: 6, tail: '@example.com' },
  uri: { head: 'https://example.com/', digits: 6, tail: '' },
  url: { head: 'https://example.com/', digits: 6, tail: '' },
  hostname: { head: 'x', digits: 6, tail: '.example.com' },
  ipv6: { head: '2001:db8::', digits: 4, tail: '' }
}

const days = (index: number) => new Date(Date.UTC(2026, 0, 1 + index)).toISOString()
const padded = (number: number) => String(number).padStart(2, '0')

const listable: Record<string, (index: number) => string> = {
  date: (index) => days(index).slice(0, 10),
  'date-time': (index) => days(index).replace('.000', ''),
  time: (index) => `${padded(Math.floor(index / 60))}:${padded(index % 60)}:00Z`,
  ipv4: (index) => `10.0.${Math.floor(index / 200)}.${1 + (index % 200)}`
}

const listed = (values: readonly unknown[]): Distinct | undefined => {
  const all = new Map(values.map((value) => [JSON.stringify(value), value]))
  return all.size > 1 ? { kind: 'listed', values: [...all.values()] } : undefined
}

/** How different values of a schema are made, of which `item` is one; undefined for none. */
export function distinctIn(
  schema: FlatSchema,
  { source, item }: { source: ImportSource; item: unknown }
): Distinct | undefined {
  const values = schema.keywords.enum?.value
  if (Array.isArray(values)) return listed(values.filter((one) => one !== null))
  if (schema.keywords.const || schema.choices.length > 0) return
  const kind = kindOf(schema)
  if (kind === 'boolean') return listed([true, false])
  if (kind === 'integer' || kind === 'number') return numbersIn(schema, kind === 'integer')
  if (kind === 'object') return objectsIn(schema, { source, item })
  return kind === undefined || kind === 'string' ? textsIn(schema) : undefined
}

function numbersIn(schema: FlatSchema, isWhole: boolean): Distinct | undefined {
  const { step, least, most } = rangeOf(schema, true)
  const isBetween = Number.isFinite(least) && Number.isFinite(most)
  const count = isBetween ? Math.floor((most - least) / step + 1e-9) + 1 : Infinity
  const isFew = !isWhole && isBetween && count < mostListed && !schema.keywords.multipleOf
  if (isFew) {
    const ends = rangeOf(schema, false)
    const wide = ends.most - ends.least
    const parts = Array.from({ length: mostListed }, (_, index) =>
      Number((ends.least + (wide * index) / mostListed).toPrecision(6))
    )
    return listed(parts.filter((one) => isGood(one, schema)))
  }
  if (!(count > 1) || !Number.isInteger(step)) return
  const isDown = !Number.isFinite(least) && Number.isFinite(most)
  const from = Number.isFinite(least) ? least : isDown ? most : step
  // A number that may be any is most often the id of something.
  const isName = isWhole && !isBetween
  return { kind: 'numbers', from, step: isDown ? -step : step, count, ...(isName && { isName }) }
}

/** Objects that differ in the field that there are the most values of. */
function objectsIn(
  schema: FlatSchema,
  { source, item }: { source: ImportSource; item: unknown }
): Distinct | undefined {
  if (item === null || typeof item !== 'object') return
  const all = Object.entries(schema.properties).flatMap(([field, at]) => {
    const inner = flat(source, at)
    if (!Object.hasOwn(item, field) || kindOf(inner) === 'object') return []
    const of = distinctIn(inner, { source, item: undefined })
    return of === undefined ? [] : [{ field, of }]
  })
  const [best] = all.toSorted((one, other) => countOf(other.of) - countOf(one.of))
  return best && { kind: 'objects', item, ...best, isName: best.of.isName }
}

function textsIn(schema: FlatSchema): Distinct | undefined {
  const { format, pattern } = schema.keywords
  const fits = (of: Distinct) => {
    const ends = of.kind === 'texts' && of.digits > 0 ? [10 ** of.digits - 1] : []
    return [0, 1, 9, 10, 99, ...ends].every((n) => isGood(differing(of, n), schema))
  }
  const counted: Distinct = { kind: 'texts', head: 'x', digits: 0, tail: '' }
  if (pattern !== undefined) {
    const isPlain = format === undefined && isGood('x999999', schema) && fits(counted)
    return isPlain ? counted : textsOfPattern(schema, fits)
  }
  if (formatOf(schema) === undefined && format === undefined) {
    const [shortest, longest] = [schema.keywords.minLength?.value, schema.keywords.maxLength?.value]
    if (!(shortest > 2) && !(longest < 7)) return counted
    const head = 'x'.repeat(Math.max(1, (shortest ?? 1) - 6))
    for (let digits = 6; digits > 1; digits--) {
      const one: Distinct = { kind: 'texts', head, digits, tail: '' }
      if (fits(one)) return one
    }
    return listed([...'abcdefghijklmnopqrstuvwxyz'].filter((one) => isGood(one, schema)))
  }
  const { [String(format!.value)]: made } = listable
  if (made !== undefined) {
    const all = Array.from({ length: mostListed }, (_, index) => made(index))
    return listed(all.filter((one) => isGood(one, schema)))
  }
  if (!Object.hasOwn(numbered, format!.value)) return
  const one = { kind: 'texts', ...numbered[format!.value]! } as const
  if (!fits(one)) return
  // Whose id or address it is may be looked up.
  return ['uuid', 'email'].includes(format!.value) ? { ...one, isName: true } : one
}

/** What follows each of a kind of letters, the first again behind the last. */
const kinds = ['0123456789', 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

/** Texts of a pattern: one of them in which some letters are counted up. */
function textsOfPattern(schema: FlatSchema, fits: (of: Distinct) => boolean): Distinct | undefined {
  const base = textFor(schema)
  if (base === undefined || !isGood(base, schema)) return
  const letters = [...base]
  for (let digits = Math.min(8, letters.length); digits > 2; digits--) {
    for (let at = letters.length - digits; at >= 0; at--) {
      const [head, tail] = [letters.slice(0, at), letters.slice(at + digits)]
      const one = { kind: 'texts', head: head.join(''), digits, tail: tail.join('') } as const
      if (fits(one)) return { ...one, isName: true }
    }
  }
  // What is taken in place of each letter alone, the last of them first.
  const others = letters.map((letter, at) => {
    const kind = kinds.find((all) => all.includes(letter)) ?? letter
    return [...kind].filter((one) => isGood(letters.with(at, one).join(''), schema))
  })
  const texts: string[] = []
  for (let n = 0; n < mostListed * 2 && texts.length < mostListed; n++) {
    let rest = n
    const text = others.toReversed().map((all) => {
      const letter = all[rest % all.length]!
      rest = Math.floor(rest / all.length)
      return letter
    })
    if (rest > 0) break
    const one = text.toReversed().join('')
    if (isGood(one, schema)) texts.push(one)
  }
  const of = listed(texts)
  return of && { ...of, isName: true }
}
