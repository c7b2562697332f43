import { createContext, Script } from 'node:vm'
import { format as judges } from '@cfworker/json-schema'
import fc from 'fast-check'
import { strangers } from '../scenario/formats.ts'
import { innerText } from './pattern-ends.ts'
import type { FlatSchema } from './schema.ts'

/** Texts of a length: what they begin with, what is repeated, and what they end with. */
export type Sized = {
  head: string
  fill: string
  tail: string /** Shorter ones are none. */
  least?: number
}

/** Formats that can be told by a value, each with one of it and one that is none. */
const formats: Record<string, { valid: string; invalid: string }> = {
  'date-time': { valid: '2026-03-04T05:06:07Z', invalid: strangers['date-time'] },
  date: { valid: '2026-03-04', invalid: strangers.date },
  time: { valid: '05:06:07Z', invalid: strangers.time },
  email: { valid: 'jo@example.com', invalid: strangers.email },
  uuid: { valid: '7f0c5c5a-8a55-4b1e-9a39-3f2f6d1f7a10', invalid: strangers.uuid },
  uri: { valid: 'https://example.com/a', invalid: strangers.uri },
  url: { valid: 'https://example.com/a', invalid: strangers.url },
  ipv4: { valid: '192.0.2.1', invalid: strangers.ipv4 },
  ipv6: { valid: '2001:db8::1', invalid: strangers.ipv6 },
  hostname: { valid: 'www.example.com', invalid: strangers.hostname }
}

/** Formats that say nothing of what a text has to look like. */
const loose = ['password', 'binary', 'string']

/** Whether a text is of a format, where that can be told. */
const isOfFormat = (name: unknown): ((text: string) => boolean) => {
  const { [String(name)]: is } = Object.hasOwn(formats, String(name)) ? judges : {}
  return is ?? (() => true)
}

/** Texts of formats that are not asked about: bytes in base64, and numbers that are written so. */
const written: Record<string, string> = {
  ...{ byte: 'eHh4', int32: '1', int64: '1', uint32: '1', uint64: '1', float: '1.5' },
  ...{ double: '1.5', decimal: '1.5' }
}

/** The format of a schema, where it is one that can be told by a value. */
export function formatOf({ keywords }: FlatSchema): { valid: string; invalid: string } | undefined {
  const name = keywords.format?.value
  return typeof name === 'string' && Object.hasOwn(formats, name) ? formats[name] : undefined
}

/** Whether a text that was made up may be none of its format, which nothing is known of. */
export function isGuessed({ keywords, types }: FlatSchema): boolean {
  const { format, pattern, example, examples, default: usual } = keywords
  if (format === undefined || !types.includes('string')) return false
  const isKnown = [formats, written].some((some) => Object.hasOwn(some, format.value))
  return !isKnown && !loose.includes(format.value) && !(pattern ?? example ?? examples ?? usual)
}

/** Patterns that did not end over one text, which are not tried with others. */
const endless = new Set<string>()

/**
 * Longest time in milliseconds that a pattern may take over a text: some never end. It is long on a
 * busy machine's account, and shorter where a document is made of such patterns.
 */
const patienceMs = () => (endless.size < 5 ? 1_000 : 100)

/** Whether a text matches a pattern; undefined where the pattern is none, or does not end. */
export function matches(pattern: string, text: string): boolean | undefined {
  const key = `${pattern.length} ${pattern}${text}`
  if (text.length <= longestKept && known.has(key)) return known.get(key)
  const found = tried(pattern, text)
  if (text.length <= longestKept) known.set(key, found)
  return found
}

/** Answers that were found: the same few texts are held against a pattern again and again. */
const known = new Map<string, boolean | undefined>()
const longestKept = 1_000

/** A place to match in, from where a pattern can be called back. */
const asked = createContext({ pattern: '', text: '' })
const question = new Script('new RegExp(pattern, "u").test(text)')

function tried(pattern: string, text: string): boolean | undefined {
  if (endless.has(pattern)) return undefined
  Object.assign(asked, { pattern, text })
  try {
    return question.runInContext(asked, { timeout: patienceMs() })
  } catch (cause) {
    if ((cause as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') endless.add(pattern)
    return undefined
  }
}

/** Longer texts are not made up: `((a{1000}){1000}){1000}` would fill the memory. */
const mostMade = 10_000

/** About how long the shortest text is that a pattern matches, with all its alternatives. */
function leastMade(pattern: string): number {
  const sums = [0]
  let last = 0
  const tokens = /\\.|\[(?:\\.|[^\]])*\]|\{(\d+)(?:,\d*)?\}|./gsu
  for (const [token, times] of pattern.matchAll(tokens)) {
    if (token === '(') sums.push(0)
    const isEnd = token === ')' && sums.length > 1
    const more = times === undefined ? (isEnd ? sums.pop()! : 1) : last * (Number(times) - 1)
    sums[sums.length - 1]! += more
    last = times === undefined ? more : last * Number(times)
  }
  return sums.reduce((sum, one) => sum + one, 0)
}

const lengthOf = (text: string) => [...text].length

/** A length that is at neither end, where there is room for one. */
function inner(least: number, most: number): number {
  const [low, high] = [least < most ? least + 1 : least, least < most - 1 ? most - 1 : most]
  return Math.max(low, Math.min(high, 5))
}

/** Texts that a pattern may match, found by its syntax; none for one that is too hard. */
function examplesOf(pattern: string): string[] {
  // What takes long to match could take long to be made up, too.
  if (pattern.length > 500 || leastMade(pattern) > mostMade) return []
  try {
    const made = fc.sample(fc.stringMatching(new RegExp(pattern, 'u')), { seed: 1, numRuns: 60 })
    return made.filter((text) => matches(pattern, text) === true)
  } catch {
    return []
  }
}

/** The same, before them one that is at no end of what the pattern counts. */
function* made(pattern: string): Generator<string> {
  const own = innerText(pattern)
  if (own !== undefined && matches(pattern, own) === true) yield own
  yield* examplesOf(pattern)
}

const numberOf = (schema: FlatSchema, name: string, otherwise: number): number => {
  const value = schema.keywords[name]?.value
  return typeof value === 'number' ? value : otherwise
}

/** A text as a schema asks for it; undefined where none is found. */
export function textFor(schema: FlatSchema): string | undefined {
  const least = numberOf(schema, 'minLength', 0)
  const most = numberOf(schema, 'maxLength', Infinity)
  const { format, pattern } = schema.keywords
  const fits = (text: string) => lengthOf(text) >= least && lengthOf(text) <= most
  if (typeof pattern?.value === 'string') {
    const isOne = isOfFormat(format?.value)
    const usual = formatOf(schema)?.valid
    // A text of its format is more of its kind than one of the pattern alone.
    if (usual !== undefined && fits(usual) && matches(pattern.value, usual)) return usual
    const all = [...made(pattern.value)].filter((text) => fits(text) && isOne(text))
    const isInner = (text: string) => lengthOf(text) > least && lengthOf(text) < most
    return (
      all.find((text) => isInner(text) && /^[\w .:/@-]+$/.test(text)) ?? all.find(isInner) ?? all[0]
    )
  }
  const known = formatOf(schema)
  if (known !== undefined && fits(known.valid)) return known.valid
  const text = Object.hasOwn(written, format?.value) ? written[format!.value]! : undefined
  if (text !== undefined && fits(text)) return text
  if (known !== undefined || least > 10_000_000 || least > most) return undefined
  return 'x'.repeat(inner(Math.max(least, 1), Math.max(most, least)))
}

/** Longest address that mail is sent to, and longest part of it before the @, or between dots. */
const [longestMail, longestLocal, longestLabel] = [254, 64, 63]
/** Longest name of a host. */
const longestHost = 253

/** A domain that has so many letters, or two more, in labels before another one. */
function domainOf(length: number, last: string): string {
  let domain = last
  for (let lacking = length - last.length; lacking > 0; ) {
    // Of one letter there is no label: it would be the dot alone.
    const whole = Math.max(2, Math.min(longestLabel + 1, lacking))
    const size = lacking - whole === 1 ? whole - 1 : whole
    domain = `${'x'.repeat(size - 1)}.${domain}`
    lacking -= size
  }
  return domain
}

/** Texts of a format that are at most as long; undefined where there are none of such sizes. */
function sizedOfFormat(name: string, most: number): Sized | undefined {
  if (name === 'uri' || name === 'url') {
    const head = 'https://example.com/'
    return { head, fill: 'x', tail: '', least: head.length }
  }
  // One letter more than what is taken is one that no address has: then the limit is not asked.
  const isMail = name === 'email' || name === 'idn-email'
  if (!isMail && !/^(idn-)?hostname$/.test(name)) return undefined
  if (most > (isMail ? longestMail : longestHost)) return undefined
  const longest = isMail ? longestLocal : longestLabel
  const tail = `${isMail ? '@' : '.'}${domainOf(most - longest - 1, 'example.com')}`
  return { head: '', fill: 'x', tail, least: tail.length + 1 }
}

/** Texts of any length from `least` to `most` that a schema otherwise takes; undefined for none. */
export function sizedFor(schema: FlatSchema, least: number, most: number): Sized | undefined {
  const { format, pattern } = schema.keywords
  if (schema.keywords.enum || schema.keywords.const) return undefined
  if (format !== undefined && !loose.includes(format.value)) {
    return pattern === undefined ? sizedOfFormat(format.value, most) : undefined
  }
  if (typeof pattern?.value !== 'string') return { head: '', fill: 'x', tail: '' }
  const fitsAll = (sized: Sized) =>
    [least, most].every(
      (length) =>
        length >= lengthOf(sized.head + sized.tail) &&
        matches(pattern.value, ofLength(sized, length)) === true
    )
  for (const text of examplesOf(pattern.value).slice(0, 20)) {
    const letters = [...text]
    for (const [index, fill] of letters.entries()) {
      const rest = letters.slice(index + 1)
      const sized = { head: letters.slice(0, index).join(''), fill, tail: rest.join('') }
      if (/^[ -~]$/.test(fill) && fitsAll(sized)) return sized
    }
  }
  return undefined
}

/** The text of that length. */
export function ofLength({ head, fill, tail }: Sized, length: number): string {
  return `${head}${fill.repeat(Math.max(0, length - lengthOf(head + tail)))}${tail}`
}
