import { countOf, type Distinct, differing } from './distinct.ts'
import { endsOf } from './ends.ts'
import type { Constraint, ConstraintSubject, HowAsked, LimitValue } from './how-asked.ts'
import { misfitsOf, nullFor, strangers } from './misfits.ts'
import { rangeOf } from './numbers.ts'
import { given } from './sample.ts'
import { formatOf, ofLength, sizedFor, textFor } from './strings.ts'
import { isAtEnd, isGood } from './violated.ts'

/** More of a value than this does not fit the head of a request everywhere. */
const mostInHead = 4_000
/** More is not sent: it would take longer than to tell. */
const mostSent = 50_000_000
/** As many names are written down. */
const mostNames = 200

/** As many of the values that are listed are asked about: more than there are countries. */
const mostListed = 500

/** As many of them as are asked about, from the first to the last. */
const spread = (values: readonly unknown[]): unknown[] =>
  Array.from(
    { length: mostListed },
    (_, index) => values[Math.floor((index * (values.length - 1)) / (mostListed - 1))]
  )

/** What is not asked about. */
export const left = (because: string): HowAsked => ({ form: 'left', because })

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

type Written = Omit<Constraint, 'keyword' | 'pointer'>
type Writer = (value: any, subject: ConstraintSubject) => Written | undefined

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0

/** The writer of a keyword that says how many of something there are at most. */
const atMost =
  (
    unit: string,
    lowest: string,
    value: (subject: ConstraintSubject, most: number, least: number) => LimitValue | undefined
  ): Writer =>
  (max, subject) => {
    if (!isCount(max)) return
    const { schema } = subject
    const least = schema.keywords[lowest]?.value ?? 0
    const common = { documented: String(max), unit }
    if (max === 0) return { ...common, asked: left('a maximum of 0') }
    const isInHead = subject.isText && !subject.at.startsWith('body')
    if (isInHead && max > mostInHead) return { ...common, asked: left('too long for a head') }
    if (max > mostSent) return { ...common, asked: left('too large to be sent') }
    // Of the one item that there may be at most, none is what every service takes.
    const isOne = max === 1 && unit === 'items' && !subject.isText
    const fewest = isCount(least) ? least : 0
    const isWide = fewest > 0 && fewest < max
    const smallest = isWide ? fewest + 1 : Math.max(fewest, isOne ? 0 : 1)
    if (smallest > max) return { ...common, asked: left('its minimum is larger') }
    const sent = value(subject, max + 1, smallest)
    // A format takes some letters by itself.
    const needed = sent?.kind === 'text' ? (sent.sized.least ?? 0) : 0
    if (sent === undefined || needed > max) {
      const because = 'no values of such sizes were found that it takes otherwise'
      return { ...common, asked: left(because) }
    }
    const of = sent.kind === 'list' ? sent.of : undefined
    const most = of && countOf(of)
    const isFew = most !== undefined && (most < max || (most === max && smallest === max))
    if (isFew) return { ...common, asked: left('there are no more different values') }
    if (of?.isName || most === max) return { ...common, asked: sidesOfNames(of!, max, smallest) }
    const asked: HowAsked = {
      ...{ form: 'limit', max, smallest: Math.max(smallest, needed), value: sent },
      ...(most !== undefined && most < 2 * max && { most })
    }
    const also = unit === 'characters' ? outsideAscii(subject, smallest, max) : undefined
    return { ...common, asked, ...(also && { also }) }
  }

/** Longer texts are not written down. */
const mostWritten = 1_000

/** As many letters outside ASCII as are taken: whoever counts bytes takes but half of them. */
function outsideAscii(
  subject: ConstraintSubject,
  smallest: number,
  max: number
): HowAsked | undefined {
  const { schema, sample, at } = subject
  const { pattern, format } = schema.keywords
  const isAny = pattern === undefined && format === undefined && /^(body|query)/.test(at)
  if (!isAny || sample === undefined || 2 * smallest > max || max > mostWritten) return
  // Of one letter three times in a row some take none.
  const [like, taken] = [smallest, max].map((count) => 'éü'.repeat(count).slice(0, count))
  const own = likeOf(subject)
  // A sample that was made up need not be taken.
  const all = own === undefined ? [sample.value, taken] : [taken]
  const ends = { like, taken: all }
  return { form: 'sides', accepted: own === undefined ? [] : [own], refused: [], ends }
}

/** Lists of values that may have to name what is there: two are as good as any, or none is. */
function sidesOfNames(of: Distinct, max: number, smallest: number): HowAsked {
  const list = (count: number) => Array.from({ length: count }, (_, n) => differing(of, n))
  if (max > mostNames) return left('so many different values may have to name what is there')
  const ends = { like: list(smallest), taken: smallest < max ? [list(max)] : [] }
  // Where there is no other value, nobody can be asked for one more.
  const refused = countOf(of) > max ? [list(max + 1)] : []
  return { form: 'sides', accepted: [], refused, ends }
}

/** The writer of a keyword that says how many of something there are at least. */
const atLeast = (
  noun: string,
  of: (count: number, subject: ConstraintSubject) => unknown
): Writer => {
  return (min, subject) => {
    if (!isCount(min) || min === 0) return
    const documented = `${subject.name} has at least ${plural(min, noun)}`
    const isNothing = subject.isText && min === 1
    if (isNothing && subject.isFilled)
      return { documented, asked: left('it cannot be empty there') }
    // Where each item is a pair of its own, or a text between commas, none is no empty list.
    if (isNothing && noun === 'item') return { documented, asked: left('a list of none') }
    if (min > 1_000_000) return { documented, asked: left('too large to be sent') }
    const [accepted, refused] = [of(min, subject), of(min - 1, subject)]
    if (accepted === undefined || refused === undefined) {
      return { documented, asked: left('no values of such sizes were found') }
    }
    return { documented, asked: { form: 'sides', accepted: [accepted], refused: [refused] } }
  }
}

/** The document's own text, where it has one. */
function likeOf({ schema, sample }: ConstraintSubject): string | undefined {
  const known = sample?.value
  return typeof known === 'string' && known !== textFor(schema) ? known : undefined
}

function textOf(length: number, { schema }: ConstraintSubject): string | undefined {
  if (length === 0) return ''
  const sized = sizedFor(schema, length, length)
  return sized && length >= (sized.least ?? 0) ? ofLength(sized, length) : undefined
}

function listOf(
  count: number,
  { inner, schema, distinct }: ConstraintSubject
): unknown[] | undefined {
  if (count === 0) return []
  if (inner === undefined) return
  const items = Array.from({ length: count }, () => inner.value)
  if (schema.keywords.uniqueItems?.value !== true || count < 2) return items
  if (distinct === undefined || countOf(distinct) < count) return
  return items.map((_, index) => differing(distinct, index))
}

/** The writer of a bound of numbers, which both sides of it are asked about by `sides`. */
const bound = (text: string, sides: (bound: number, step: number) => [number, number]): Writer => {
  return (value, subject) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return
    const { types, keywords } = subject.schema
    const { step } = rangeOf(subject.schema, types.includes('integer'))
    const isStepped = types.includes('integer') || keywords.multipleOf !== undefined
    // Nothing says how far two numbers are apart: 0.9 is near to 1, and 0.5 is not.
    const [accepted, refused] = sides(value, isStepped ? step : step / 5).map((one) =>
      Number(one.toPrecision(15))
    )
    const documented = `${subject.name} is ${text} ${value}`
    const isTold = Number.isSafeInteger(Math.trunc(refused!)) && accepted !== refused
    if (!isTold) return { documented, asked: left('too large to be told from its neighbour') }
    return { documented, asked: { form: 'sides', accepted: [accepted], refused: [refused] } }
  }
}

const maximum: Writer = (max, subject) => {
  const { step, least } = rangeOf(subject.schema, true)
  const smallest = least >= step && least + step <= max ? least + step : Math.max(least, step)
  const isLimit = isCount(max) && max < 2 ** 52 && Number.isInteger(step) && smallest <= max
  if (!isLimit || max % step !== 0)
    return bound('at most', (one, by) => [one, one + by])(max, subject)
  const asked: HowAsked = {
    form: 'limit',
    max,
    smallest,
    resolution: step,
    value: { kind: 'number' }
  }
  return { documented: String(max), unit: `as ${subject.name}`, asked }
}

/**
 * Parts of a step, so that of numbers who takes those of a smaller one takes one that is so
 * far off: whatever divides a whole step divides one of its parts by a prime.
 */
function partsOfStep(step: number): number[] {
  if (!Number.isSafeInteger(step)) return [step / 2, step / 5]
  if (step > 1_000_000) return [step / 2]
  const parts: number[] = []
  let rest = step
  for (let prime = 2; prime * prime <= rest; prime++) {
    if (rest % prime === 0) parts.push(step / prime)
    while (rest % prime === 0) rest /= prime
  }
  return rest > 1 ? [...parts, step / rest] : parts
}

/** By keyword: what it says in words, and how that is asked about. */
export const writers: Record<string, Writer> = {
  maxLength: atMost('characters', 'minLength', (subject, most, least) => {
    const sized = sizedFor(subject.schema, least, most)
    const like = likeOf(subject)
    return sized && { kind: 'text', sized, ...(like !== undefined && { like }) }
  }),
  minLength: atLeast('character', textOf),
  maxItems: atMost('items', 'minItems', ({ inner, schema, distinct }) => {
    const isUnique = schema.keywords.uniqueItems?.value === true
    if (inner === undefined || (isUnique && distinct === undefined)) return
    return { kind: 'list', item: inner.value, ...(distinct && { of: distinct }) }
  }),
  minItems: atLeast('item', listOf),
  maxProperties: atMost('properties', 'minProperties', ({ inner, schema }) => {
    const isOpen = Object.keys(schema.required).length === 0 && schema.additional?.value !== false
    return isOpen && inner ? { kind: 'object', item: inner.value } : undefined
  }),
  minProperties: atLeast('property', (count, { inner, schema, sample }) => {
    if (Object.keys(schema.required).length > 0) return
    const known = Object.entries(Object(sample?.value)).slice(0, count)
    if (known.length === count) return Object.fromEntries(known)
    // Names of our own are taken only where others than those of the schema are.
    if (inner === undefined || schema.additional?.value === false) return
    const more = Array.from({ length: count - known.length }, (_, n) => [`x${n}`, inner.value])
    return Object.fromEntries([...known, ...more])
  }),
  maximum,
  minimum: bound('at least', (value, step) => [value, value - step]),
  exclusiveMaximum: bound('less than', (value, step) => [value - step, value]),
  exclusiveMinimum: bound('more than', (value, step) => [value + step, value]),
  multipleOf(value, { name, schema, sample }) {
    if (typeof value !== 'number' || value <= 0) return
    const documented = `${name} is a multiple of ${value}`
    const isWhole = schema.types.includes('integer')
    const known = sample?.value
    if (typeof known !== 'number') return { documented, asked: left('no valid value was found') }
    if (isWhole && value === 1) return { documented, asked: left('its type says so') }
    // Beside one that is at an end, that farther off is beyond it.
    const all = isWhole ? [...partsOfStep(value), 1] : partsOfStep(value)
    const beside = (by: number) =>
      [known + by, known - by].map((one) => Number(one.toPrecision(15)))
    const refused = [...new Set(all.flatMap(beside))]
    const next = beside(value).filter((one) => isGood(one, schema) && !isAtEnd(one, schema))
    const ends = next.length > 0 ? { ends: { like: known, taken: next.slice(0, 1) } } : {}
    return { documented, asked: { form: 'sides', accepted: given(sample), refused, ...ends } }
  },
  enum(values, subject) {
    const { name, schema } = subject
    if (!Array.isArray(values)) return
    const some = values.filter((value) => value !== null)
    const told = some.length > 0 ? some : values
    const asked = told.length > mostListed ? spread(told) : told
    const words = asked.map((one) => JSON.stringify(one)).join(', ')
    const those = asked === told ? words : `${told.length} values, of which are asked ${words}`
    const documented = `${name} is one of ${those}`
    const accepted = [...asked, ...nullFor(subject)]
    const isListed = subject.at.startsWith('path') && told.length > 1
    const sides = { accepted, refused: strangers(told, schema), ...(isListed && { isListed }) }
    return { documented, asked: { form: 'sides', ...sides } }
  },
  const: (value, { name, schema }) => ({
    documented: `${name} is ${JSON.stringify(value)}`,
    asked: { form: 'sides', accepted: [value], refused: strangers([value], schema) }
  }),
  pattern(value, subject) {
    const { name, sample, schema } = subject
    const sides = { accepted: given(sample), refused: misfitsOf(schema, sample) }
    const ends = endsOf(subject)
    const asked: HowAsked = { form: 'sides', ...sides, ...(ends && { ends }) }
    return { documented: `${name} matches ${value}`, asked }
  },
  format(value, { name, sample, schema }) {
    const known = formatOf(schema)
    if (known === undefined) return
    const documented = `${name} is of the format ${value}`
    const isPlain = schema.keywords.pattern === undefined
    const accepted = isPlain ? given(sample) : []
    const asked: HowAsked = { form: 'sides', accepted, refused: [known.invalid] }
    return { documented, isAdvice: true, asked }
  },
  uniqueItems(value, { name, inner, schema, distinct }) {
    if (value !== true) return
    const documented = `no item of ${name} comes twice`
    if (inner === undefined) return { documented, asked: left('no item was found') }
    const count = Math.min(1_000, Math.max(2, schema.keywords.minItems?.value ?? 0))
    const twins = Array.from({ length: count }, () => inner.value)
    const isKnown = distinct && !distinct.isName && countOf(distinct) >= count
    const varied = isKnown ? [twins.map((_, index) => differing(distinct, index))] : []
    return { documented, asked: { form: 'sides', accepted: varied, refused: [twins] } }
  }
}
