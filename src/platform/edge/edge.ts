import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Functions } from '../functions/functions.ts'
import { send } from '../kernel/http/answer.ts'
import type { Service } from '../kernel/http/listener.ts'
import type { Store } from '../kernel/store.ts'
import type { Time } from '../kernel/time.ts'
import { zoneByHost } from '../kernel/zone.ts'
import type { Logs } from '../logpush/record.ts'
import { traffic } from '../logpush/traffic.ts'
import { protection } from '../page-protection/protection.ts'
import type { Rules } from '../rules.ts'
import { inspectedBytes, isInspected } from '../waf/body-values.ts'
import { enforcement } from '../waf/enforcement.ts'
import { factsOf } from './facts.ts'
import { forwarder, loopHeader, OriginFailed } from './forward.ts'
import { BodyTooLarge } from './metered.ts'
import { ask } from './origin.ts'
import { page } from './page.ts'
import { prefixed } from './prefix.ts'
import type { Refusal } from './refusal.ts'
import { deliver, valuesOf } from './served.ts'

/** The parser reads this much of a head, so that the platform's own limits decide. */
const headBytes = 4 * 1_024 * 1_024

/** Codes of a client that went away while it was being answered. */
const departures = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']

/** The beginning of a request's body is what a WAF stops. */
class Stopped extends Error {
  readonly part: 'block' | 'challenge'
  constructor(part: 'block' | 'challenge') {
    super()
    this.part = part
  }
}

/** The request path of every zone: sizes first, then the zone's origin, then page protection. */
export function edge(parts: {
  rules: Rules
  store: Store
  time: Time
  logs: Logs
  functions: Pick<Functions, 'front' | 'throughCache'>
}): Service {
  const { rules, store, time } = parts
  const { front, throughCache } = parts.functions
  const { receive, oversize, bodyLimit, metered, refuse } = rules.edge
  const { forward, close } = forwarder()
  const { isReport, takeReport, protect } = protection(parts)
  const waf = enforcement({ rules: rules.waf, store, time })
  const log = traffic(parts)

  async function serve(message: IncomingMessage, response: ServerResponse, proceed: () => void) {
    const request = receive(message)
    log(request, response)
    const { method, host, headers, declaredBytes = 0 } = request
    const part = oversize(request, rules.limits)
    if (part) return refuse(response, { part, method })
    const zone = zoneByHost(store, host)
    if (!zone) return refuse(response, { part: 'host', method })
    const { plan } = zone
    const limitBytes = bodyLimit(request, zone, rules.limits)
    if (declaredBytes > limitBytes) return refuse(response, { part: 'body', method, plan })
    if (valuesOf(headers, loopHeader.toLowerCase()).length > 0)
      return refuse(response, { part: 'loop', method, plan })
    const asked = { zoneId: zone.id, facts: () => factsOf(request, { zone, now: time.now() }) }
    const type = valuesOf(headers, 'content-type')[0] ?? ''
    const hasBody = request.declaredBytes !== 0 && isInspected(type) && !isReport(request)
    const isRead = hasBody && waf.isOn(zone.id)
    const stopped = isRead ? undefined : waf.inspect(request, asked)
    if (stopped) return refuse(response, { part: stopped, method, plan })
    try {
      proceed()
      if (isReport(request)) return await takeReport(message, response, zone)
      const metering = { ...request, body: metered(request, limitBytes) }
      if (isRead) {
        const { first, body } = await prefixed(metering.body, inspectedBytes)
        const part = waf.inspect(request, { ...asked, body: { type, bytes: first } })
        if (part) throw new Stopped(part)
        metering.body = body
      }
      const gone = departure(response)
      const served =
        (await front(metering, { zone, gone })) ??
        (await throughCache(zone, metering, () => ask(zone, { request: metering, forward, gone })))
      await deliver(response, protect(served, { request, zone }))
    } catch (error) {
      const part = refusedFor(error)
      if (part === undefined || response.headersSent) throw error
      refuse(response, { part, method, plan })
      // Node reads on by itself only behind a body that nobody has begun to read.
      message.resume()
    }
  }

  return {
    headBytes,
    close,
    onRequest(message, response, proceed) {
      serve(message, response, proceed).catch((error) => failed(error, response))
    },
    onMalformed: (status) => page(status, 'This is not a request the edge understands.')
  }
}

/** Ends an answer that went wrong. */
function failed(error: NodeJS.ErrnoException, response: ServerResponse): void {
  // A client that went away is owed no answer, and a cut answer can only be cut off.
  if (departures.includes(error.code ?? '')) return
  if (response.headersSent) return void response.destroy()
  process.emitWarning(error)
  send(response, page(500, 'The edge failed.'))
}

/** A signal for when the client is gone without having all of its answer. */
function departure(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}

function refusedFor(error: unknown): Refusal['part'] | undefined {
  if (error instanceof Stopped) return error.part
  if (error instanceof BodyTooLarge) return 'body'
  if (error instanceof OriginFailed) return error.status === 504 ? 'slow origin' : 'origin'
  return undefined
}
