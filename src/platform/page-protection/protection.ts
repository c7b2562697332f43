import { factsOf } from '../edge/facts.ts'
import type { EdgeRequest } from '../edge/request.ts'
import { type Header, mediaType, type Served, valuesOf } from '../edge/served.ts'
import type { Store } from '../kernel/store.ts'
import type { Time } from '../kernel/time.ts'
import type { Zone } from '../kernel/zone.ts'
import type { Logs } from '../logpush/record.ts'
import type { Rules } from '../rules.ts'
import { endpoint, reportPath } from './monitor/endpoint.ts'
import { monitor } from './monitor/monitor.ts'
import { webAddress } from './monitor/report.ts'
import { applied } from './policy/apply.ts'
import { isScript, observed } from './script.ts'

/** The policy under which browsers report every script and connection, and block none. */
const monitoring: Header = [
  'Content-Security-Policy-Report-Only',
  `script-src 'none'; connect-src 'none'; report-uri ${reportPath}`
]

type Parts = { rules: Rules; store: Store; time: Time; logs: Logs }

/** Page protection at the edge: policies on what is served, and an eye on what pages load. */
export function protection({ rules, store, time, logs }: Parts) {
  const { limits } = rules
  const eye = monitor({ store, time, limits, logs })
  const policyHeaders = applied({ rules: rules.policy, store, limits })

  /** Sees the content of scripts as it goes by, since pages of any zone may load them. */
  function watched(served: Served, { request }: Asked): Served {
    const { host, path, headers } = request
    const url = webAddress(`http://${valuesOf(headers, 'host')[0] ?? host}${path}`)
    if (url === undefined || !isScript(served, request)) return served
    return observed(served, limits.scriptBytes, (content) => eye.script(url, content))
  }

  return {
    isReport: ({ path }: EdgeRequest) => path === reportPath,
    takeReport: endpoint({ monitor: eye, time, limits }),
    /** What is served, with the headers of the zone's policies and, for pages, of monitoring. */
    protect(served: Served, asked: Asked): Served {
      const { request, zone } = asked
      const facts = () => factsOf(request, { zone, now: time.now() })
      const headers = [...served.headers, ...policyHeaders(zone.id, facts)]
      if (eye.isOn(zone)) {
        if (mediaType(served) === 'text/html') headers.push(monitoring)
        for (const header of valuesOf(served.headers, 'set-cookie'))
          eye.cookie(zone, header, request)
      }
      return watched({ ...served, headers }, asked)
    }
  }
}

type Asked = { request: EdgeRequest; zone: Zone }
