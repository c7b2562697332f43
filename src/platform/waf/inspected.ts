import { lowerAscii } from '../expression/bytes.ts'
import { type RequestFacts, requestFields } from '../expression/expression.ts'
import type { Scheme } from '../expression/scheme.ts'

/** What signatures may ask: everything about a request, and its words in one plain text. */
export const inspectedFields = { ...requestFields, 'waf.text': 'Bytes' } as const satisfies Scheme

/** What is known about a request when signatures look at it. */
export type InspectedFacts = RequestFacts & { readonly 'waf.text'?: string }

/** Encodings that attackers nest to get past a filter are undone this often. */
const mostRounds = 2

/**
 * The facts with `waf.text` added: target, cookies, referer and user agent, each on a line of its
 * own, decoded and in lower case, so that a signature need not know the ways to disguise a word.
 */
export function inspected(facts: RequestFacts): InspectedFacts {
  let text: string | undefined
  // Facts are many and mostly not asked for, so they are looked up where they are, not copied.
  return Object.create(facts, {
    'waf.text': {
      get() {
        text ??= plain(facts)
        return text
      }
    }
  })
}

function plain(facts: RequestFacts): string {
  const parts = [
    (facts['http.request.uri'] ?? '').replaceAll('+', ' '),
    facts['http.cookie'] ?? '',
    facts['http.referer'] ?? '',
    facts['http.user_agent'] ?? ''
  ]
  return parts.map((part) => lowerAscii(decoded(part))).join('\n')
}

function decoded(value: string): string {
  let text = value
  for (let round = 0; round < mostRounds && text.includes('%'); round++)
    text = text.replaceAll(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)))
  return text
}
