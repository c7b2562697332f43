import { compile, parseExpression } from '../expression/expression.ts'
import type { InspectedFacts } from './inspected.ts'

/** The longest pattern; a URL cannot be longer in an expression. */
const mostCharacters = 1_000

/** What is wrong with a text as a URL pattern, in words; undefined when nothing is. */
export function patternFault(pattern: string): string | undefined {
  if (pattern === '' || pattern.length > mostCharacters)
    return `must have 1 to ${mostCharacters} characters`
  return /^[!-~]+$/.test(pattern) ? undefined : 'must be printable ASCII without spaces'
}

/** The expression for requests to URLs of a pattern: `*` is anything, either scheme if unsaid. */
export function urlExpression(pattern: string): string {
  const [, scheme, rest = ''] = /^(https?:\/\/)?(.*)$/s.exec(pattern)!
  // A star twice is a star, and a backslash has to survive two readings: literal and wildcard.
  const text = rest.replaceAll(/\*+/g, '*').replaceAll('\\', '\\\\\\\\').replaceAll('"', '\\"')
  const schemes = scheme === undefined ? ['http://', 'https://'] : [scheme]
  const each = schemes.map((one) => `http.request.full_uri wildcard "${one}${text}"`)
  return `(${each.join(' or ')})`
}

/** A prepared expression; one that does not parse is true of nothing. */
export function matcher(expression: string): (facts: InspectedFacts) => boolean {
  const parsed = parseExpression(expression, { characterLimit: Infinity })
  return parsed.ok ? compile(parsed.expression) : () => false
}
