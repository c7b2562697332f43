import type { Extensions } from '../kernel/extension.ts'
import { send } from '../kernel/http/answer.ts'
import type { Service } from '../kernel/http/listener.ts'
import type { Received, Response } from '../kernel/http/message.ts'
import type { Store } from '../kernel/store.ts'
import type { Time } from '../kernel/time.ts'
import { zoneByHost } from '../kernel/zone.ts'
import type { Front } from './cache.ts'
import { factsOf } from './facts.ts'
import { forwarder, loopHeader, OriginFailed } from './forward.ts'
import { BodyTooLarge } from './metered.ts'
import { ask } from './origin.ts'
import { page } from './page.ts'
import { prefixed } from './prefix.ts'
import type { Refusal } from './refusal.ts'
import type { EdgeRequest } from './request.ts'
import type { EdgeRules } from './rules.ts'
import { deliver, valuesOf } from './served.ts'
import { type Arrived, type BodyStart, type Stage, stages } from './stage.ts'

/** The parser reads this much of a head, so that the platform's own limits decide. */
const headBytes = 4 * 1_024 * 1_024

/** Codes of a client that went away while it was being answered. */
const departures = ['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']

/** It is the beginning of a request's body for which it is stopped. */
class Stopped extends Error {
  readonly part: 'block' | 'challenge'
  constructor(part: 'block' | 'challenge') {
    super()
    this.part = part
  }
}

/** The request path of every zone: sizes first, then the stages of parts, cache and origin. */
export function edge(parts: {
  rules: EdgeRules
  store: Store
  time: Time
  extensions: Extensions
  throughCache: Front
}): Service {
  const { rules, store, time, extensions, throughCache } = parts
  const { receive, oversize, bodyLimit, metered, refuse } = rules
  const { forward, close } = forwarder()
  // Parts that are opened later add to it.
  const added = extensions.all(stages)

  async function serve(message: Received, response: Response, proceed: () => void) {
    const request = receive(message)
    for (const stage of added) stage.observe?.(request, response)
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
    const arrived = { request, zone, facts: () => factsOf(request, { zone, now: time.now() }) }
    const owner = added.find((stage) => stage.isOwn?.(request))
    const readBytes = request.declaredBytes === 0 || owner ? 0 : readOf(added, arrived)
    const stopped = readBytes > 0 ? undefined : stoppedBy(added, arrived)
    if (stopped) return refuse(response, { part: stopped, method, plan })
    try {
      proceed()
      if (owner) return await owner.take!(message, response, zone)
      const metering = { ...request, body: metered(request, limitBytes) }
      if (readBytes > 0) {
        const { first, body } = await prefixed(metering.body, readBytes)
        const type = valuesOf(headers, 'content-type')[0] ?? ''
        const part = stoppedBy(added, arrived, { type, bytes: first })
        if (part) throw new Stopped(part)
        metering.body = body
      }
      const gone = departure(response)
      const served =
        (await servedBy(added, metering, { zone, gone })) ??
        (await throughCache(zone, metering, () => ask(zone, { request: metering, forward, gone })))
      const finished = added.reduce((last, stage) => stage.finish?.(last, arrived) ?? last, served)
      await deliver(response, finished)
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
    http2: true,
    close,
    onRequest(message, response, proceed) {
      serve(message, response, proceed).catch((error) => failed(error, response))
    },
    onMalformed: (status) => page(status, 'This is not a request the edge understands.')
  }
}

/** How much of a request's body has to be there before it is inspected, in bytes. */
function readOf(added: readonly Stage[], arrived: Arrived): number {
  return Math.max(0, ...added.map((stage) => stage.reads?.(arrived) ?? 0))
}

/** What stops a request, if anything does; nobody is asked once something does. */
function stoppedBy(added: readonly Stage[], arrived: Arrived, body?: BodyStart) {
  for (const stage of added) {
    const stopped = stage.inspect?.(arrived, body)
    if (stopped) return stopped
  }
  return undefined
}

/** What the first part serves that does. */
async function servedBy(
  added: readonly Stage[],
  request: EdgeRequest,
  asked: Parameters<NonNullable<Stage['serve']>>[1]
) {
  for (const stage of added) {
    const served = await stage.serve?.(request, asked)
    if (served) return served
  }
  return undefined
}

/** Ends an answer that went wrong. */
function failed(error: NodeJS.ErrnoException, response: Response): void {
  // A client that went away is owed no answer, and a cut answer can only be cut off.
  if (departures.includes(error.code ?? '')) return
  if (response.headersSent) return void response.destroy()
  process.emitWarning(error)
  send(response, page(500, 'The edge failed.'))
}

/** A signal for when the client is gone without having all of its answer. */
function departure(response: Response): AbortSignal {
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
