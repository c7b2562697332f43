/// <reference path="../undici.d.ts" />
import Pool from 'undici/lib/dispatcher/pool.js'
import { type Clock, clock as machineClock } from '../clock.ts'
import { type Route, routeTo } from '../route.ts'
import { parseAddress } from '../target/address.ts'
import type { Endpoint } from '../target/target.ts'
import { connectorAlong } from '../tunnel.ts'
import { unlessGivenUp } from './cancelled.ts'
import { changed, type Headers } from './headers.ts'
import type { RawRequest } from './raw-request.ts'
import type { Reply } from './reply.ts'
import { type RequestOptions, request } from './request.ts'
import { send } from './send.ts'
import {
  createCapThrottle,
  createThrottle,
  inTurn,
  type Throttle,
  unthrottled
} from './throttle.ts'
import { unsent } from './unsent.ts'

export type { RawRequest } from './raw-request.ts'
export type { RequestOptions } from './request.ts'

type Ask = (path: string, options?: RequestOptions) => Promise<Reply>

/**
 * Speaks HTTP/1.1 to one listener, follows no redirect and repeats no request. Whatever the target
 * does is a reply; a promise rejects, with a TypeError, only for what cannot be sent.
 */
export type Client = {
  /** The endpoint's URL, which every path is appended to. */
  url: string
  /** The headers that each request has, by lower-case name. */
  headers: Readonly<Headers>
  get: Ask
  post: Ask
  put: Ask
  patch: Ask
  delete: Ask
  head: Ask
  options: Ask
  /** The same by any method, which is sent as it is written: `QUERY`. */
  ask: (method: string, path: string, options?: RequestOptions) => Promise<Reply>
  /**
   * Asks on a fresh connection, with a body of any size that is made while it is sent, and sees a
   * refusal that comes before the end of the body however the connection is closed after it.
   */
  send: (question: RawRequest) => Promise<Reply>
  /** The same listener, asked for another host. */
  as: (host: string) => Client
  /** The same client with other headers; undefined removes one. */
  with: (headers: Record<string, string | undefined>) => Client
  /** How the listener is reached by what speaks another protocol, and by whose leave. */
  reach: Reach
  /** Ends the connections once the requests under way are done, for all clients made from this. */
  close: () => Promise<void>
}

/** How a listener is reached: the way there, and what holds back each thing that is sent. */
export type Reach = { route: Route; verifyTls: boolean; turn: Throttle; signal?: AbortSignal }

const keptIdleMs = 1_000
/** Twice what any limit here asks of a head; of small trailers undici keeps 400 times that. */
const longestHeadBytes = 262_144

/**
 * A client for one endpoint; throws a TypeError for a URL that nothing can be sent to, an Error for
 * a place that nobody has checked.
 */
export function createClient(options: {
  endpoint: Endpoint
  /** After how long without a byte a request is given up; default ten seconds. */
  timeoutMs?: number
  /** At most so many requests a second, whatever its caps allow. */
  perSecond?: number
  clock?: Clock
  /** Aborted when nothing is waited for any longer: what has no answer then has none at all. */
  signal?: AbortSignal
}): Client {
  const { endpoint, timeoutMs = 10_000, perSecond, clock = machineClock, signal } = options
  const { url, verifyTls = true } = endpoint
  const parsed = parseAddress(url)
  const { route = routeTo(parsed.origin) } = endpoint
  const address = { ...parsed, verifyTls, route }
  const throttle = inTurn(
    perSecond === undefined ? unthrottled : createThrottle(perSecond, clock),
    route.caps === undefined ? unthrottled : createCapThrottle(route.caps, clock)
  )
  const pool = new Pool(address.origin, {
    connect: connectorAlong(route, {
      rejectUnauthorized: verifyTls,
      timeout: timeoutMs,
      allowH2: false
    }),
    maxHeaderSize: longestHeadBytes,
    // A connection that has been idle for longer may be closed at the moment it is used again.
    keepAliveTimeout: keptIdleMs,
    keepAliveMaxTimeout: keptIdleMs
  })
  const speak = (headers: Headers): Client => {
    const using = (method: string): Ask => {
      return (path, options = {}) => {
        const asked = { pool, address, clock, method, path, headers, timeoutMs, options }
        const reply = async () => {
          if ((await throttle()) === false) return unsent({ address, method, path })
          return request(asked)
        }
        return unlessGivenUp(reply(), signal, { method, url: `${address.origin}${path}` })
      }
    }
    return {
      url,
      headers,
      reach: { route, verifyTls, turn: throttle, ...(signal && { signal }) },
      get: using('GET'),
      post: using('POST'),
      put: using('PUT'),
      patch: using('PATCH'),
      delete: using('DELETE'),
      head: using('HEAD'),
      options: using('OPTIONS'),
      ask: (method, path, options) => using(method)(path, options),
      send(question) {
        const reply = send({ question, address, headers, timeoutMs, throttle, clock })
        const { method, path } = question
        return unlessGivenUp(reply, signal, { method, url: `${address.origin}${path}` })
      },
      as: (host) => speak(changed(headers, { host })),
      with: (changes) => speak(changed(headers, changes)),
      async close() {
        if (signal?.aborted) await pool.destroy()
        else if (!pool.closed) await pool.close()
      }
    }
  }
  return speak(changed({}, endpoint.headers))
}
