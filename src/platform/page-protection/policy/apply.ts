import { compile, parseExpression, type RequestFacts } from '../../expression/expression.ts'
import type { Store } from '../../kernel/store.ts'
import type { PageProtectionLimits } from '../limits.ts'
import {
  type Application,
  application,
  headerBytes,
  headerOf,
  type PolicyHeader
} from './header.ts'
import { listPolicies, revisionOf } from './policy.ts'

type Check = (facts: RequestFacts) => boolean

/** The policies of a zone that are on, ready to be held against requests, as of one revision. */
type Prepared = {
  revision: number
  checks: ReadonlyMap<string, Check>
  policies: { check: Check; header: PolicyHeader }[]
}

/** How many prepared policies are kept; beyond that the zones longest not asked for give way. */
const mostKept = 20_000

/**
 * Applies the policies of zones: a function from a request to the headers of its answer, one for
 * each policy that is on and whose expression the request matches, oldest first. What is prepared
 * belongs to its zone and is made anew when that zone's policies change, so neither the number of
 * other zones' policies nor their changes are felt. `onPrepare` is told of what is prepared.
 */
export function applied({
  rules = application,
  store,
  limits,
  onPrepare = () => {}
}: {
  rules?: Application
  store: Store
  limits: Pick<PageProtectionLimits, 'policyHeadBytes'>
  onPrepare?: (expression: string) => void
}) {
  const kept = new Map<string, Prepared>()
  let size = 0

  function forget(zone: string): Prepared | undefined {
    const known = kept.get(zone)
    if (known === undefined) return undefined
    kept.delete(zone)
    size -= known.policies.length
    return known
  }

  function keep(zone: string, prepared: Prepared) {
    kept.set(zone, prepared)
    size += prepared.policies.length
    for (const oldest of kept.keys()) {
      if (size <= mostKept || oldest === zone) break
      forget(oldest)
    }
  }

  function preparedFor(zone: string): Prepared | undefined {
    const revision = revisionOf(store, zone)
    const known = forget(zone)
    if (revision === undefined) return undefined
    const current = known?.revision === revision ? known : prepare(zone, { revision, known })
    keep(zone, current)
    return current
  }

  function prepare(zone: string, { revision, known }: { revision: number; known?: Prepared }) {
    const checks = new Map<string, Check>()
    const checkOf = (source: string): Check => {
      const check = checks.get(source) ?? known?.checks.get(source) ?? prepared(source, onPrepare)
      checks.set(source, check)
      return check
    }
    const policies = listPolicies(store, zone)
      .filter((policy) => rules.isEnabled(policy))
      .map((policy) => ({
        check: checkOf(policy.expression),
        header: headerOf(policy, rules)
      }))
    return { revision, checks, policies }
  }

  return (zone: string, facts: () => RequestFacts): PolicyHeader[] => {
    const policies = preparedFor(zone)?.policies ?? []
    if (policies.length === 0) return []
    const known = facts()
    const headers = policies
      .filter(({ check }) => rules.isMeant(check, known))
      .map(({ header }) => header)
    return fitting(headers, limits.policyHeadBytes)
  }
}

/**
 * The first headers that fit. Policies that do not are refused when they are made; a zone that had
 * more of them before that was so shall be reachable all the same.
 */
function fitting(headers: PolicyHeader[], mostBytes: number): PolicyHeader[] {
  let bytes = 0
  const end = headers.findIndex((header) => {
    bytes += headerBytes(header)
    return bytes > mostBytes
  })
  return end < 0 ? headers : headers.slice(0, end)
}

/** An expression that was kept before expressions were read may not parse, and matches nothing. */
function prepared(source: string, onPrepare: (source: string) => void): Check {
  onPrepare(source)
  const parsed = parseExpression(source)
  return parsed.ok ? compile(parsed.expression) : () => false
}
