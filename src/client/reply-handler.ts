import type { Dispatcher } from 'undici'
import errors from 'undici/lib/core/errors.js'
import type { Clock } from '../clock.ts'
import type { Address } from '../target/address.ts'
import { createBody } from './body.ts'
import { closeReason } from './close-reason.ts'
import { http2Alone, isHttp2Preface } from './http2-peer.ts'
import { refusal, unconnected } from './refusal.ts'
import type { Reply } from './reply.ts'
import { openStream, type Timeouts } from './timeouts.ts'

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
  timeouts: Timeouts
  clock: Clock
}

/**
 * Makes a reply of what undici tells its handler about one request, and gives the request up when
 * its timeouts ends, since undici's own timers are late by up to a second. The promise rejects with
 * a TypeError for a request that could not be sent at all.
 */
export function createListener(occasion: Occasion): {
  handler: Dispatcher.DispatchHandler
  reply: Promise<Reply>
} {
  const { request, address, timeouts, clock } = occasion
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const body = createBody()
  const seen: Seen = { status: 0, headers: {}, hasByte: false }
  let connection: { began: number; abort: () => void } | undefined
  let isSettled = false

  const settle = (kind: Reply['kind'], because: string) => {
    timers.forEach(clearTimeout)
    isSettled = true
    const ms = connection ? clock.now() - connection.began : 0
    // undici hands head and body to the connection together, so there is no phase in between.
    const phase = connection ? 'end' : 'connect'
    const sent = connection ? request.bodyBytes : 0
    const { status, headers } = seen
    const read = body.read(headers['content-encoding'])
    resolve({ kind, status, headers, ...read, sent, phase, ms, because, request })
  }
  const giveUp = (because: string) => {
    const open = openStream(seen)
    if (open !== undefined) settle('answered', open)
    else if (connection) settle('timeout', because)
    else settle('refused', refusal({ code: 'ETIMEDOUT' }, address))
    connection?.abort()
  }
  const { timeoutMs, deadlineMs, streamMs } = timeouts
  const idle = setTimeout(() => giveUp(stillness(seen, timeoutMs)), timeoutMs)
  const deadline = setTimeout(() => giveUp(`not finished after ${deadlineMs} ms`), deadlineMs)
  const timers = [idle, deadline]

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(controller) {
      connection = { began: clock.now(), abort: () => controller.abort(new Error('given up')) }
      idle.refresh()
      if (isSettled) connection.abort()
    },
    onResponseStarted() {
      seen.hasByte = true
      idle.refresh()
    },
    onResponseStart(_, status, headers) {
      idle.refresh()
      if (status < 200) return
      Object.assign(seen, { status, headers: joined(headers) })
      if (openStream(seen)) timers.push(setTimeout(() => giveUp(''), streamMs))
    },
    onResponseData(_, bytes) {
      idle.refresh()
      body.add(bytes)
    },
    onResponseEnd: () => settle('answered', `HTTP ${seen.status}`),
    onResponseError(_, cause: Failure) {
      if (misuses.has(cause.code ?? '')) {
        timers.forEach(clearTimeout)
        reject(new TypeError(`${request.method} ${request.url}: ${cause.message}`, { cause }))
      } else if (connection === undefined) {
        settle(...unconnected(cause, address))
      } else {
        settle(...loss(cause, { ...seen, ...body.read(), bodyBytes: request.bodyBytes }))
      }
    }
  }
  return { handler, reply: promise }
}

type Seen = Pick<Reply, 'status' | 'headers'> & { hasByte: boolean }

/** What has not come for as long as a request waits. */
function stillness({ status, hasByte }: Seen, timeoutMs: number): string {
  const isAmidHead = hasByte && status === 0
  return isAmidHead ? `no complete head within ${timeoutMs} ms` : `no byte for ${timeoutMs} ms`
}

/** How a request that was sent got no complete answer, and why. */
function loss(
  cause: Failure,
  seen: Seen & { received: number; bodyBytes: number }
): [kind: Reply['kind'], because: string] {
  // llhttp calls an end in the wrong place a fault of syntax; it is a connection closed too early.
  const isSyntax = cause instanceof errors.HTTPParserError && cause.code !== 'HPE_INVALID_EOF_STATE'
  if (isSyntax || cause instanceof errors.HeadersOverflowError) {
    const { data = '' } = cause as { data?: string }
    return ['garbage', isHttp2Preface(data) ? http2Alone : `not HTTP: ${cause.message}`]
  }
  return ['closed', closeReason({ ...seen, sent: seen.bodyBytes })]
}

function joined(headers: Record<string, string | string[] | undefined>): Reply['headers'] {
  const entries = Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')])
  return Object.fromEntries(entries)
}
