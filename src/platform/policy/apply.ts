import { compile, parseExpression, type RequestFacts } from '../expression/expression.ts'
import type { Store } from '../store.ts'
import { listPolicies, type Policy } from './policy.ts'

type Check = (facts: RequestFacts) => boolean

/** The decisions that make a policy take effect; the header each action is sent in. */
export const application = {
  header: {
    log: 'Content-Security-Policy-Report-Only',
    allow: 'Content-Security-Policy'
  },
  isEnabled: ({ enabled }: Policy): boolean => String(enabled) === 'true',
  isMeant: (check: Check, facts: RequestFacts): boolean => check(facts),
  /** What the header lists: directives with their sources. */
  sources: ({ value }: Policy): string => value
}

/** The shape of `application`. */
export type Application = typeof application

/** How many prepared expressions are kept; beyond that they are prepared anew. */
const mostKept = 1_000

/**
 * Applies the policies of zones: a function from a request to the headers of its answer, one for
 * each policy that is on and whose expression the request matches, oldest first.
 */
export function applied(rules: Application, store: Store, reportTo: (policy: Policy) => string) {
  const kept = new Map<string, Check>()
  const checkOf = (source: string): Check => {
    const check = kept.get(source) ?? prepared(source)
    if (kept.size >= mostKept) kept.clear()
    kept.set(source, check)
    return check
  }
  return (zone: string, facts: RequestFacts): [name: string, value: string][] =>
    listPolicies(store, zone)
      .filter((policy) => rules.isEnabled(policy))
      .filter(({ expression }) => rules.isMeant(checkOf(expression), facts))
      .map((policy) => [
        rules.header[policy.action],
        `${rules.sources(policy).replace(/[; ]+$/, '')}; report-uri ${reportTo(policy)}`
      ])
}

/** An expression that was kept before expressions were read may not parse, and matches nothing. */
function prepared(source: string): Check {
  const parsed = parseExpression(source)
  return parsed.ok ? compile(parsed.expression) : () => false
}
