import { applied } from '../policy/apply.ts'
import type { Rules } from '../rules.ts'
import type { Store } from '../store.ts'
import type { Time } from '../time.ts'
import type { Zone } from '../zone.ts'
import { factsOf } from './facts.ts'
import type { EdgeRequest } from './request.ts'
import type { Served } from './served.ts'

/** Where a zone's pages send reports of violations. */
export const reportPath = '/cdn-cgi/script_monitor/report'

/** Page protection at the edge: what is served gets the headers of its zone's policies. */
export function protection({ rules, store, time }: { rules: Rules; store: Store; time: Time }) {
  const policyHeaders = applied(rules.policy, store, ({ id }) => `${reportPath}?policy=${id}`)
  return (served: Served, { request, zone }: { request: EdgeRequest; zone: Zone }): Served => {
    const facts = factsOf(request, { zone, now: time.now() })
    return { ...served, headers: [...served.headers, ...policyHeaders(zone.id, facts)] }
  }
}
