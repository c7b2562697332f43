import type { Store } from '../kernel/store.ts'
import type { Zone } from '../kernel/zone.ts'
import type { Account } from './account.ts'
import type { FunctionLimits } from './limits.ts'
import type { FailMode } from './route.ts'
import type { FunctionRules, MatchedBy } from './rules.ts'
import { slidingWindow } from './window.ts'

/** A request that is about to reach a function. */
export type Arrival = {
  account: Account
  zone: Pick<Zone, 'id' | 'plan'>
  /** The client's address. */
  address: string
  matchedBy: MatchedBy
  failMode: FailMode
}

/** Whether a function runs, is passed by, or an error is shown; for rates also for how long. */
export type Admission =
  | 'run'
  | 'bypass'
  | { code: 1015; by: 'abuse' | 'minute'; waitMs: number }
  | { code: 1027; by: 'day'; waitMs?: undefined }

/** Decides about every request to a function: abuse first, then the account's day and minute. */
export function admission({
  rules,
  limits,
  store
}: {
  rules: FunctionRules
  limits: FunctionLimits
  store: Store
}) {
  const { perMinute, perDay } = limits.requests
  const minute = rules.window({ most: perMinute, windowMs: 60_000 })
  const abuse = slidingWindow({ most: limits.abuse.requests, windowMs: limits.abuse.windowMs })

  return (arrival: Arrival, now: number): Admission => {
    const { account, zone, address, matchedBy, failMode } = arrival
    const tooFastMs = rules.isGuarded(zone.plan) ? abuse(`${zone.id} ${address}`, now) : 0
    if (tooFastMs > 0) return { code: 1015, by: 'abuse', waitMs: tooFastMs }
    const scope = rules.countedBy(account, { zonePlan: zone.plan, matchedBy })
    const today = { account: account.id, scope, day: rules.dayOf(now) }
    if (!rules.isLimited(account, () => requestsOf(store, today))) return 'run'
    if (requestsOf(store, today) >= perDay) {
      // Only behind a route is there something that would be there without the function.
      const isBypassed = matchedBy === 'route' && rules.beyondDay[failMode] === 'bypass'
      return isBypassed ? 'bypass' : { code: 1027, by: 'day' }
    }
    const waitMs = minute(scope, now)
    if (waitMs > 0) return { code: 1015, by: 'minute', waitMs }
    countRequests(store, today, 1)
    return 'run'
  }
}

/** What requests are counted by, and the day they are counted on. */
export type Counted = { account: string; scope: string; day: string }

/** Adds to the requests of a day; those of the day before are forgotten. */
export function countRequests(store: Store, { account, scope, day }: Counted, more: number) {
  store.run(
    `INSERT INTO request_count (account, scope, day, requests) VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET day = excluded.day,
         requests = excluded.requests + CASE WHEN day = excluded.day THEN requests ELSE 0 END`,
    ...[account, scope, day, more]
  )
}

function requestsOf(store: Store, { account, scope, day }: Counted): number {
  const sql = 'SELECT requests FROM request_count WHERE account = ? AND scope = ? AND day = ?'
  return store.first<{ requests: number }>(sql, account, scope, day)?.requests ?? 0
}
