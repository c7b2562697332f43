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
const mostRounds = 2

/**
 * The facts with texts for signatures added, so that these need not know the ways to disguise a
 * word: what is asked for, who asks and, of what is sent with it, the first 128 KiB.
 */
export function inspected(facts: RequestFacts, body?: Body): InspectedFacts {
  // Facts are many and mostly not asked for, so they are looked up where they are, not copied.
  const target = once(() => worded(targetValues(facts)))
  const sent = once(() => (body ? valuesIn(body) : []))
  const text = once(() => plainText(facts, sent()))
  const words = once(() => target() + worded([...headValues(facts), ...sent()]))
  return Object.create(facts, {
    'waf.text': { get: text },
    'waf.target': { get: target },
    'waf.words': { get: words }
  })
}

function once<Value>(make: () => Value): () => Value {
  let known: { value: Value } | undefined
  return () => {
    known ??= { value: make() }
    return known.value
  }
}

function worded(values: readonly string[]): string {
  return values
    .filter((value) => value !== '')
    .map((value) => `\n${plain(value)}`)
    .join('')
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
