import { type Header, mediaType, type Served, valuesOf } from '../edge/served.ts'
import type { Arrived, Stage } from '../edge/stage.ts'
import type { Store } from '../kernel/store.ts'
import type { Time } from '../kernel/time.ts'
import type { Logs } from '../logpush/record.ts'
import { endpoint, reportPath } from './monitor/endpoint.ts'
import { monitor } from './monitor/monitor.ts'
import { webAddress } from './monitor/report.ts'
import { applied } from './policy/apply.ts'
import type { PageProtectionRules } from './rules.ts'
import { isScript, observed } from './script.ts'

/** The policy under which browsers report every script and connection, and block none. */
const monitoring: Header = [
  'Content-Security-Policy-Report-Only',
  `script-src 'none'; connect-src 'none'; report-uri ${reportPath}`
]

type Parts = { rules: PageProtectionRules; store: Store; time: Time; logs: Logs }

/** Page protection at the edge: policies on what is served, and an eye on what pages load. */
export function protection({ rules, store, time, logs }: Parts): Stage {
  const { limits, isWatched, hashed } = rules
  const eye = monitor({ store, time, limits, logs, isWatched, hashed })
  const policyHeaders = applied({ rules: rules.policy, store, limits })

  /** Sees the content of scripts as it goes by, since pages of any zone may load them. */
  function watched(served: Served, { request }: Arrived): Served {
    const { host, path, headers } = request
    const url = webAddress(`http://${valuesOf(headers, 'host')[0] ?? host}${path}`)
    if (url === undefined || !isScript(served, request)) return served
    return observed(served, limits.scriptBytes, (content) => eye.script(url, content))
  }

  return {
    isOwn: ({ path }) => path === reportPath,
    take: endpoint({ monitor: eye, time, limits }),
    // The headers of the zone's policies are added and, for pages, those of monitoring.
    finish(served, arrived) {
      const { request, zone, facts } = arrived
      const policies = rules.added(policyHeaders(zone.id, facts), { served, request })
      const headers = [...served.headers, ...policies]
      if (eye.isOn(zone)) {
        if (mediaType(served) === 'text/html') headers.push(monitoring)
        for (const header of rules.cookiesOf({ served, request })) eye.cookie(zone, header, request)
      }
      return watched({ ...served, headers }, arrived)
    }
  }
}
