import { type Dispatcher, errors } from 'undici'
import type { Clock } from '../clock.ts'
import type { Address } from './address.ts'
import { createBody } from './body.ts'
import { ending } from './ending.ts'
import type { Patience } from './patience.ts'
import { refusal } from './refusal.ts'
import type { Reply } from './reply.ts'

type Failure = Error & { code?: string }

/** Codes of what undici does not send: the caller's faults, not the target's. */
const misuses = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_CLOSED',
  'UND_ERR_DESTROYED'
])

/** What a listener listens to. */
export type Occasion = {
  request: Reply['request']
  address: Address
  patience: Patience
  clock: Clock
}

/**
 * Makes a reply of what undici tells its handler about one request, and gives the request up at its
 * deadline; the promise rejects with a TypeError for a request that could not be sent at all.
 */
export function createListener(occasion: Occasion): {
  handler: Dispatcher.DispatchHandler
  reply: Promise<Reply>
} {
  const { request, address, patience, clock } = occasion
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const body = createBody()
  const seen: Seen = { status: 0, headers: {}, hasByte: false }
  let connection: { began: number; abort: () => void } | undefined
  let isSettled = false

  const settle = (kind: Reply['kind'], because: string) => {
    clearTimeout(timer)
    isSettled = true
    const ms = connection ? clock.now() - connection.began : 0
    // undici hands head and body to the connection together, so there is no phase in between.
    const phase = connection ? 'end' : 'connect'
    const sent = connection ? request.bodyBytes : 0
    const { status, headers } = seen
    resolve({ kind, status, headers, ...body.read(), sent, phase, ms, because, request })
  }
  const giveUp = () => {
    const { deadlineMs } = patience
    if (connection) settle('timeout', `not finished after ${deadlineMs} ms`)
    else settle('refused', refusal({ code: 'ETIMEDOUT' }, address))
    connection?.abort()
  }
  const timer = setTimeout(giveUp, patience.deadlineMs)

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      connection = { began: clock.now(), abort: () => controller.abort(new Error('given up')) }
      if (isSettled) connection.abort()
    },
    onResponseStarted() {
      seen.hasByte = true
    },
    onResponseStart(_, status, headers) {
      if (status >= 200) Object.assign(seen, { status, headers: joined(headers) })
    },
    onResponseData: (_, bytes) => body.add(bytes),
    onResponseEnd: () => settle('answered', `HTTP ${seen.status}`),
    onResponseError(_, cause: Failure) {
      if (misuses.has(cause.code ?? '')) {
        clearTimeout(timer)
        reject(new TypeError(`${request.method} ${request.url}: ${cause.message}`, { cause }))
      } else if (connection === undefined) {
        settle('refused', refusal(cause, address))
      } else {
        settle(...loss(cause, { ...seen, ...body.read() }, occasion))
      }
    }
  }
  return { handler, reply: promise }
}

type Seen = Pick<Reply, 'status' | 'headers'> & { hasByte: boolean }

/** How a request that was sent got no complete answer, and why. */
function loss(
  cause: Failure,
  seen: Seen & { received: number },
  { patience, request }: Occasion
): [kind: Reply['kind'], because: string] {
  const { timeoutMs } = patience
  if (cause instanceof errors.HeadersTimeoutError && seen.hasByte) {
    return ['timeout', `no complete head within ${timeoutMs} ms`]
  }
  if (cause instanceof errors.HeadersTimeoutError || cause instanceof errors.BodyTimeoutError) {
    return ['timeout', `no byte for ${timeoutMs} ms`]
  }
  // llhttp calls an end in the wrong place a fault of syntax; it is a connection closed too early.
  const isSyntax = cause instanceof errors.HTTPParserError && cause.code !== 'HPE_INVALID_EOF_STATE'
  if (isSyntax || cause instanceof errors.HeadersOverflowError) {
    return ['garbage', `not HTTP: ${cause.message}`]
  }
  const { bodyBytes } = request
  return ['closed', ending({ ...seen, sent: bodyBytes, bodyBytes })]
}

function joined(headers: Record<string, string | string[] | undefined>): Reply['headers'] {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')])
  return Object.fromEntries(entries)
}
