import type { Arbitraries } from 'plimsoll'
import type { Policy } from '../_policy.ts'

const sources = [
  "'self'",
  'cdn.example.test',
  'a.b.example.test',
  'https://cdn.example.test/a/b.js'
]

/** A policy made by chance, in which no field need be as in any example. */
export function anyPolicy(any: Arbitraries) {
  const letter = any.constantFrom(...'azAZ09 éßñ漢字🙂"\'\\<>&%,;:/+=')
  const text = any.string({ unit: letter, minLength: 1, maxLength: 40 })
  const host = any.stringMatching(/^[a-z]{1,12}\.example\.test$/)
  const path = any.stringMatching(/^\/[a-z/]{0,12}$/)
  const condition = any.oneof(
    host.map((name) => `http.host eq "${name}"`),
    path.map((name) => `http.request.uri.path eq "${name}"`)
  )
  return any.record<Policy>({
    description: text.map((words) => words.trim() || 'A policy'),
    action: any.constantFrom('log', 'allow'),
    expression: any
      .array(condition, { minLength: 1, maxLength: 3 })
      .chain((all) => any.constantFrom(' and ', ' or ').map((word) => all.join(word))),
    enabled: any.constantFrom<string | boolean>('true', 'false', 'true', 'false', true, false),
    value: any
      .uniqueArray(any.constantFrom(...sources), { minLength: 1, maxLength: 4 })
      .map((some) => `script-src ${some.join(' ')}`)
  })
}
