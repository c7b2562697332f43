import type { EventsAsked } from '../events/events-asked.ts'
import type { GrpcAsked } from '../grpc/grpc-asked.ts'
import type { BodySink } from './body-sink.ts'

/** One HTTP request, as plain data. */
export type Request = {
  /** Absolute, `http:` or `https:`; `ws:` or `wss:` where the body is a WebSocket's message. */
  url: string
  /** Default: GET. */
  method?: string
  headers?: Record<string, string | readonly string[]>
  body?: string | Uint8Array
  /** Name under which its metrics are kept apart; see `maxRoutes`. */
  route?: string
  /** Listens to the response as to an event stream. */
  events?: EventsAsked
  /** Makes it a call of gRPC, whose messages are in its body already. */
  grpc?: GrpcAsked
  /** Of a WebSocket: which messages answer, as a regular expression. Default: the next one. */
  answer?: string
}

const methodPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const valuePattern = /^[\t\x20-\x7e\x80-\xff]*$/

function require(holds: boolean, message: string): void {
  if (!holds) throw new TypeError(message)
}

/** The method, in upper case. */
export function methodOf({ method = 'GET' }: Request): string {
  return method.toUpperCase()
}

/** Whether a request is a message over a WebSocket. */
export function isSocket({ url }: Pick<Request, 'url'>): boolean {
  return /^wss?:/i.test(url)
}

/** Scheme, host and port that a request goes to; those of a WebSocket are HTTP's. */
export function originOf({ url }: Pick<Request, 'url'>): string {
  const { origin, protocol } = new URL(url.replace(/^ws/i, 'http'))
  require(protocol === 'http:' || protocol === 'https:', `cannot send to "${url}"`)
  return origin
}

/**
 * What tells apart the connections that requests can share: their origin, and of a WebSocket all
 * that it is opened with.
 */
export function sharesOf(request: Request): string {
  if (!isSocket(request)) return originOf(request)
  const { url, headers = {}, answer } = request
  return JSON.stringify([url, headers, answer])
}

/** Headers by which a request would change how its connection is used, or how it is framed. */
const notGiven = ['transfer-encoding', 'upgrade', 'expect', 'keep-alive']

function checkHeader(name: string, value: string, bodyLength: number): void {
  const lower = name.toLowerCase()
  require(methodPattern.test(name), `"${name}" is no header name`)
  require(valuePattern.test(value), `header "${name}" holds what a header cannot`)
  require(!notGiven.includes(lower), `header "${name}" is not a request's to give`)
  if (lower === 'connection') {
    require(/^(close|keep-alive)$/i.test(value), 'a connection is kept alive, or closed')
  }
  if (lower === 'content-length') {
    require(value === `${bodyLength}`, `the body has ${bodyLength} bytes, not ${value}`)
  }
}

/**
 * The header lines a request gives, each name as often as it has values. Throws a TypeError for
 * what no engine can send.
 */
export function headerLines({ headers = {}, body = '' }: Request): [name: string, value: string][] {
  const lines = Object.entries(headers).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, `${value}`])
  )
  for (const [name, value] of lines) checkHeader(name, value, Buffer.byteLength(body))
  return lines
}

/** The request as it goes over an HTTP/1.1 connection, built once and sent many times. */
export function requestBytes(request: Request): Buffer {
  const { host, pathname, search } = new URL(request.url)
  const method = methodOf(request)
  require(methodPattern.test(method) && method !== 'CONNECT', `cannot send a ${method} request`)
  const body = Buffer.from(request.body ?? '')
  const given = headerLines(request)
  const names = new Set(given.map(([name]) => name.toLowerCase()))
  const lines = names.has('host') ? given : [['Host', host], ...given]
  if (!names.has('content-length') && (body.length > 0 || /^(POST|PUT|PATCH)$/.test(method))) {
    lines.push(['Content-Length', `${body.length}`])
  }
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const start = `${method} ${pathname}${search} HTTP/1.1\r\n`
  return Buffer.concat([Buffer.from(`${start}${head}\r\n`, 'latin1'), body])
}

/** A request made ready to be sent any number of times. */
export type Prepared = {
  request: Request
  /** Which connections it can leave by; see `sharesOf`. */
  shares: string
  /** What is written for one request, and for n of them at once in place n. */
  bytes: Buffer
  batches: Buffer[]
  /** Whether a response to it has no body whatever its head says. */
  bodiless: boolean
  /** Number of its route in the metrics. */
  route: number
  /** Whether the response's headers and body are wanted. */
  keeps: boolean
  /** Who takes the body as it comes, in place of its being kept; such a request is sent once. */
  sink: BodySink | undefined
}

/** Makes a request ready; throws a TypeError when it cannot be sent by any engine. */
export function prepare(
  request: Request,
  { route, keeps, sink }: { route: number; keeps: boolean; sink?: BodySink }
): Prepared {
  return { request, ...madeOf(request), route, keeps, sink }
}

/** What is worked out of a request itself. */
type MadeRequest = Pick<Prepared, 'shares' | 'bytes' | 'batches' | 'bodiless'>

const lasting = new WeakMap<Request, MadeRequest>()

/** What is worked out of a request; only once of one that is frozen, which is sent many times. */
function madeOf(request: Request): MadeRequest {
  const known = lasting.get(request)
  if (known !== undefined) return known
  const bytes = requestBytes(request)
  const bodiless = methodOf(request) === 'HEAD'
  const made = { shares: sharesOf(request), bytes, batches: [], bodiless }
  if (Object.isFrozen(request)) lasting.set(request, made)
  return made
}

/** The bytes of a prepared request `times` times over; built once for each number. */
export function batch({ bytes, batches }: Prepared, times: number): Buffer {
  if (times === 1) return bytes
  batches[times] ??= Buffer.concat(Array<Buffer>(times).fill(bytes))
  return batches[times]
}
