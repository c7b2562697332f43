import { lowerAscii } from '../expression/bytes.ts'
import { type RequestFacts, requestFields } from '../expression/expression.ts'
import type { Scheme } from '../expression/scheme.ts'
import { type Body, formValues, valuesIn } from './body-values.ts'
import { plain } from './plain.ts'

/** What signatures may ask: everything about a request, and its words in plain texts. */
export const inspectedFields = {
  ...requestFields,
  'waf.text': 'Bytes',
  'waf.target': 'Bytes',
  'waf.words': 'Bytes'
} as const satisfies Scheme

/** What is known about a request when signatures look at it. */
export type InspectedFacts = RequestFacts & {
  /** Target, cookies, referer, user agent and what the body says, each on a line, decoded. */
  readonly 'waf.text'?: string
  /** Path, and the names and values of the query, each behind a line break, in plain words. */
  readonly 'waf.target'?: string
  /** The same of everything that `waf.text` is made of. */
  readonly 'waf.words'?: string
}

/** Encodings that attackers nest to get past a filter are undone this often. */
const mostRounds = 3

/** So many values of heads are kept in plain words: clients send the same ones again and again. */
const mostKept = 1_000
const longestKept = 512

/**
 * The facts with texts for signatures added, so that these need not know the ways to disguise a
 * word: what is asked for, who asks and, of what is sent with it, the first 128 KiB.
 */
export function inspected(facts: RequestFacts, body?: Body): InspectedFacts {
  // Facts are many and mostly not asked for, so they are looked up where they are, not copied.
  const known = Object.create(facts)
  let read: readonly string[] | undefined
  const sent = () => {
    read ??= body ? valuesIn(body) : []
    return read
  }
  once(known, 'waf.text', () => plainText(facts, sent()))
  once(known, 'waf.target', () => worded(targetValues(facts), plain))
  once(
    known,
    'waf.words',
    () => known['waf.target'] + worded(headValues(facts), plainAgain) + worded(sent(), plain)
  )
  return known
}

/** Has a text be found out when it is first asked for, and be there the two hundred times after. */
function once(known: object, name: string, find: () => string) {
  const get = () => {
    const value = find()
    Object.defineProperty(known, name, { value })
    return value
  }
  Object.defineProperty(known, name, { get, configurable: true })
}

function worded(values: readonly string[], read: (value: string) => string): string {
  let words = ''
  for (const value of values) if (value !== '') words += `\n${read(value)}`
  return words
}

const kept = new Map<string, string>()

/** A value in plain words, as it was the last time where that is known. */
function plainAgain(value: string): string {
  const known = kept.get(value)
  if (known !== undefined) return known
  const words = plain(value)
  if (value.length > longestKept) return words
  if (kept.size >= mostKept) kept.clear()
  kept.set(value, words)
  return words
}

function targetValues(facts: RequestFacts): string[] {
  const [path, ...query] = (facts['http.request.uri'] ?? '').split('?')
  return [path!, ...formValues(query.join('?'))]
}

function headValues(facts: RequestFacts): string[] {
  const cookies = (facts['http.cookie'] ?? '').split(/; */)
  const values = cookies.map((cookie) => cookie.slice(cookie.indexOf('=') + 1))
  const [page = '', query = ''] = (facts['http.referer'] ?? '').split(/\?(.*)/s)
  return [...values, page, ...formValues(query), facts['http.user_agent'] ?? '']
}

function plainText(facts: RequestFacts, sent: readonly string[]): string {
  const parts = [
    (facts['http.request.uri'] ?? '').replaceAll('+', ' '),
    facts['http.cookie'] ?? '',
    facts['http.referer'] ?? '',
    facts['http.user_agent'] ?? '',
    ...sent
  ]
  return parts.map((part) => lowerAscii(decoded(part))).join('\n')
}

function decoded(value: string): string {
  let text = value
  for (let round = 0; round < mostRounds && text.includes('%'); round++)
    text = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
  return text
}
