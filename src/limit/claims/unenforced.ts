import { type ClaimCheck, claimIn, seconds, wholeSecondMs } from './check.ts'
import type { PolicyLeft } from './claims.ts'
import type { Row } from './row.ts'

/** How many more than can be back have to be accepted: one may be, as what is left is rounded. */
const mostOver = 3

/** The policies of which an answer says that less is left than a request takes. */
export function nonesOf({ claims }: Row, cost = 1): PolicyLeft[] {
  return claims.left.filter(({ value }) => value < cost)
}

/** So many that were accepted while none was left, in so many ms: so many more than can be back. */
type Over = { count: number; over: number; tookMs: number; limit: number; left: PolicyLeft }

/**
 * Policies of several that go on accepting while each answer says that none of them is left, as no
 * limiter does that counts by them: a window that ends, and a log that forgets a burst, have more
 * left then; what comes back evenly is no more than its share of the window; and of a log no more
 * are taken than it allows in any window. Other clients only make it less.
 */
export function unenforcedChecks(asked: readonly Row[]): ClaimCheck[] {
  const fields = new Set(asked.flatMap(({ claims }) => claims.left.map(({ field }) => field)))
  return [...fields].flatMap((field): ClaimCheck[] => {
    const most = acceptedOver(asked, field)
    if (!most || most.over <= mostOver) return []
    const { count, tookMs, limit, left } = most
    const more = `${count} more were accepted in ${seconds(tookMs)} while none was left`
    return [
      { field, counterexample: `${limit}; ${more}`, isSure: true },
      { field: 'RateLimit', counterexample: `${left.text}; ${more}`, isSure: true }
    ]
  })
}

/** The most that were accepted while none was left of a policy; undefined where none was. */
export function acceptedOver(asked: readonly Row[], field: string): Over | undefined {
  const accepted: Row[] = []
  let most: Over | undefined
  // Since which of those that had none left in a row most were accepted beyond what can be back.
  let from: { nth: number; sent: number } | undefined
  for (const row of asked) {
    const left = claimIn(row, 'left', field)
    if (row.kind === 'accepted') accepted.push(row)
    if (!left || left.value > 0) from = undefined
    if (!left || left.value > 0 || row.kind !== 'accepted') continue
    const policy = policyOf(row, field)
    if (!policy) continue
    const { limit, windowMs } = policy
    const nth = accepted.length - 1
    const backIn = (ms: number) => (1.1 * limit * ms) / windowMs
    const overSince = (one: { nth: number; sent: number }) => {
      return nth - one.nth - backIn(row.answered - one.sent)
    }
    const own = { nth, sent: row.sent }
    if (!from || overSince(from) <= overSince(own)) from = own
    // No more than it allows may have been taken in any window.
    const first = accepted.at(-1 - limit)
    const sureMs = windowMs - Math.min(wholeSecondMs, windowMs / 2)
    if (!first || row.answered - first.sent >= sureMs) continue
    const over = overSince(from)
    if (over <= (most?.over ?? 0)) continue
    most = { count: nth - from.nth, over, tookMs: row.answered - from.sent, limit, left }
  }
  return most
}

function policyOf(row: Row, field: string): { limit: number; windowMs: number } | undefined {
  const limit = claimIn(row, 'limit', field) ?? claimIn(row, 'apart', field)
  const windowMs = claimIn(row, 'windowMs', field) ?? claimIn(row, 'apartWindowMs', field)
  if (!limit || !windowMs || limit.value < 1 || windowMs.value <= 0) return
  return { limit: limit.value, windowMs: windowMs.value }
}
