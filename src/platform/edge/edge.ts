import type { IncomingMessage, ServerResponse } from 'node:http'
import { send } from '../answer.ts'
import type { Service } from '../listener.ts'
import type { Rules } from '../rules.ts'
import type { Store } from '../store.ts'
import { zoneByHost } from '../zone.ts'
import { echo } from './echo.ts'
import { BodyTooLarge } from './metered.ts'
import { page } from './page.ts'

/** The parser reads this much of a head, so that the platform's own limits decide. */
const headBytes = 4 * 1_024 * 1_024

/** The request path of every zone: sizes first, then the zone's origin. */
export function edge({ rules, store }: { rules: Rules; store: Store }): Service {
  const { receive, oversize, bodyLimit, metered, refuse } = rules.edge

  async function serve(message: IncomingMessage, response: ServerResponse, proceed: () => void) {
    const request = receive(message)
    const { method, host, declaredBytes = 0 } = request
    const part = oversize(request, rules.limits)
    if (part) return refuse(response, { part, method })
    const zone = zoneByHost(store, host)
    if (!zone) return refuse(response, { part: 'host', method })
    const { plan } = zone
    const limitBytes = bodyLimit(request, zone, rules.limits)
    if (declaredBytes > limitBytes) return refuse(response, { part: 'body', method, plan })
    try {
      proceed()
      send(response, await echo({ ...request, body: metered(request, limitBytes) }))
    } catch (error) {
      if (!(error instanceof BodyTooLarge)) throw error
      refuse(response, { part: 'body', method, plan })
      // Node reads on by itself only behind a body that nobody has begun to read.
      message.resume()
    }
  }

  return {
    headBytes,
    onRequest(message, response, proceed) {
      serve(message, response, proceed).catch((error: NodeJS.ErrnoException) => {
        // A client that went away is owed no answer; anything else is a defect to be seen.
        if (error.code === 'ECONNRESET') return
        process.emitWarning(error)
        send(response, page(500, 'The edge failed.'))
      })
    },
    onMalformed: (status) => page(status, 'This is not a request the edge understands.')
  }
}
