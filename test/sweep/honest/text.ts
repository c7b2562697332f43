// Answers that say the same in another text, or more: JSON leaves the text to who writes it.
import { type Random, shuffled } from '../../../src/random.ts'
import type { Variant } from './variant.ts'
import type { Way } from './way.ts'

type Members = Record<string, unknown>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value with every object in it, from the inside out, made another one. */
function mapped(value: unknown, change: (object: Members) => Members): unknown {
  if (Array.isArray(value)) return value.map((item) => mapped(item, change))
  if (!isObject(value)) return value
  const members = Object.entries(value).map(([name, member]) => [name, mapped(member, change)])
  return change(Object.fromEntries(members))
}

const reordered = (value: unknown, order: (entries: [string, unknown][]) => [string, unknown][]) =>
  JSON.stringify(mapped(value, (object) => Object.fromEntries(order(Object.entries(object)))))

const escaped = (text: string) =>
  text.replace(/[^\x20-\x7e]|[<>&'/]/g, (letter) =>
    letter === '/'
      ? '\\/'
      : [...Array(letter.length).keys()]
          .map((at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`)
          .join('')
  )

/** Numbers that are whole, and no part of a string, in another notation. */
const renumbered = (text: string, write = (number: string) => `${number}.0`) =>
  text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?![\d.eE])/g, (token) =>
    token.startsWith('"') ? token : write(token)
  )

const more = (object: Members): Members => ({
  '@type': 'object',
  ...object,
  x_extra: { id: 7, tags: ['a', null], result: [], url: 'not a url', status: 12 },
  etag: null
})

const texts: [name: string, allowed: string, json: NonNullable<Way['json']>][] = [
  [
    'keys-reversed',
    'members of objects have no order (RFC 8259, 4)',
    (value) => reordered(value, (entries) => entries.toReversed())
  ],
  [
    'keys-shuffled',
    'members of objects have no order (RFC 8259, 4)',
    (value, { chance }: { chance: Random }) =>
      reordered(value, (entries) => shuffled(entries, chance))
  ],
  ['pretty', 'white space means nothing', (value) => `\n${JSON.stringify(value, null, '\t')}\r\n`],
  [
    'escaped',
    'any character may be escaped (RFC 8259, 7)',
    (value) => escaped(JSON.stringify(value))
  ],
  [
    'whole-numbers-with-a-fraction',
    'a number is the same in any notation (RFC 8259, 6)',
    (value) => renumbered(JSON.stringify(value))
  ],
  [
    'whole-numbers-with-an-exponent',
    'a number is the same in any notation (RFC 8259, 6)',
    (value) => renumbered(JSON.stringify(value), (number) => Number(number).toExponential())
  ]
]

const mapping = ['lost', 'overrides', 'sensitivity', 'action'].map((name) => `waf/mapping-${name}`)
const anyJson = [
  ...['envelope', 'errors', 'settings', 'policies/by-chance', 'policies/fields', 'policies/list'],
  ...[
    'scripts',
    'connections',
    'cookies',
    'lists/page',
    'detections',
    'gateway',
    'networks',
    'log-push/create'
  ],
  ...['waf/check-fields', 'waf/config-fields', 'waf/rule-fields', 'waf/round-trip', ...mapping]
]

/** Platforms that write the same otherwise, or write more. */
export const textVariants: readonly Variant[] = [
  ...texts.map(
    ([name, allowed, json]): Variant => ({
      ...{ name, allowed, areas: anyJson },
      ways: { management: { json }, gateway: { json } }
    })
  ),
  {
    name: 'more-fields-everywhere',
    allowed: 'no field is said to be the last; every object has more',
    areas: anyJson,
    ways: {
      management: {
        // The update of settings returns two fields only, says the document.
        json: (value, { asked }) =>
          JSON.stringify(
            asked.method === 'PUT' && asked.target.endsWith('/page_shield')
              ? more(value)
              : mapped(value, more)
          )
      }
    }
  }
]
