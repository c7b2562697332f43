import type { EdgeRequest } from '../edge/request.ts'
import { valuesOf } from '../edge/served.ts'
import { headersBytes } from '../edge/size.ts'
import type { Response } from '../kernel/http/message.ts'
import type { Store } from '../kernel/store.ts'
import type { Time } from '../kernel/time.ts'
import { zoneByHost } from '../kernel/zone.ts'
import { tellEvents } from './event.ts'
import { hasJobs, remembered } from './job.ts'
import type { Logs } from './record.ts'
import { sealed } from './sealed.ts'

/** Sees to it that every request of a zone with jobs is on record before its response ends. */
export function traffic({ store, time, logs }: { store: Store; time: Time; logs: Logs }) {
  const isWanted = remembered(store, () => hasJobs(store))
  return (request: EdgeRequest, response: Response) => {
    if (!isWanted()) return
    const began = time.now()
    sealed(response, async ({ status, type, bytes }) => {
      const zone = zoneByHost(store, request.host)
      if (zone === undefined) return
      const events = tellEvents({ store, logs }, zone.id)
      await logs.record('http_requests', zone.id, {
        ...fieldsOf(request),
        EdgeStartTimestamp: began,
        EdgeEndTimestamp: time.now(),
        EdgeResponseStatus: status,
        EdgeResponseContentType: type,
        EdgeResponseBytes: bytes,
        ZoneName: zone.host
      })
      await events
    })
  }
}

function fieldsOf(request: EdgeRequest) {
  const { ray, method, target, uri, path, headers, host, declaredBytes = 0, from } = request
  const header = (name: string) => valuesOf(headers, name).join(', ')
  return {
    ClientIP: from.address.replace(/^::ffff:(?=\d+\.)/, ''),
    ClientSrcPort: from.port,
    ClientRequestBytes: target.length + headersBytes(headers) + declaredBytes,
    ClientRequestHost: host,
    ClientRequestMethod: method,
    ClientRequestPath: path,
    ClientRequestProtocol: `HTTP/${request.version}`,
    ClientRequestReferer: header('referer'),
    ClientRequestScheme: 'http',
    ClientRequestURI: uri,
    ClientRequestUserAgent: header('user-agent'),
    RayID: ray
  }
}
