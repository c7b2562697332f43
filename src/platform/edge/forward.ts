import { Readable } from 'node:stream'
import type { Dispatcher } from 'undici'
import requestBy from 'undici/lib/api/api-request.js'
import Agent from 'undici/lib/dispatcher/agent.js'
import type { EdgeRequest } from './request.ts'
import { type Header, type Served, valuesOf } from './served.ts'

/** The origin could not be reached, or did not answer as a server should. */
export class OriginFailed extends Error {
  status: 502 | 504

  constructor(status: 502 | 504, cause: unknown) {
    super('the origin failed', { cause })
    this.status = status
  }
}

/** Asks the servers behind zones. */
export type Forwarder = {
  /**
   * Sends a request on, its body as it comes, until nobody waits for the answer any more; throws
   * `OriginFailed`, or what the body throws.
   */
  forward(origin: string, request: EdgeRequest, gone: AbortSignal): Promise<Served>
  close(): Promise<void>
}

const timeouts = { connectMs: 10_000, headMs: 100_000 }

/** A header every edge adds and looks for, so that a request cannot go round for ever. */
export const loopHeader = 'CDN-Loop'

/** Headers that are about one connection, and those the next one needs anew. */
const ownHeaders = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding'],
  ...['upgrade', 'proxy-authenticate', 'proxy-authorization']
])
const requestHeaders = new Set(['expect', 'content-length', 'x-forwarded-for', 'x-forwarded-proto'])

/** Opens connections to origins as they are needed, and keeps them for a while. */
export function forwarder(): Forwarder {
  const agent = new Agent({
    allowH2: false,
    connect: { timeout: timeouts.connectMs },
    headersTimeout: timeouts.headMs
  })
  return {
    async forward(origin, request, signal) {
      const body = bodyOf(request)
      const asked = { origin, method: request.method as Dispatcher.HttpMethod, body }
      try {
        const { statusCode, headers, body } = await requestBy.call(agent, {
          ...asked,
          path: request.uri.startsWith('/') ? request.uri : '/',
          headers: sentOn(request).flat(),
          responseHeaders: 'raw',
          signal
        })
        // undici types the headers as a record, whatever form it was asked for.
        const pairs = paired(headers as unknown as string[])
        return { status: statusCode, headers: withoutOwn(pairs), body }
      } catch (error) {
        throw body?.errored ?? failureOf(error)
      }
    },
    close: () => agent.destroy()
  }
}

/** GET and its like have no body unless they say so; undici counts the bytes that were declared. */
function bodyOf({ declaredBytes, body }: EdgeRequest): Readable | null {
  return declaredBytes === 0 ? null : Readable.from(body, { objectMode: false })
}

function failureOf(error: unknown): OriginFailed {
  const isLate = /TIMEOUT/.test(String((error as { code?: string }).code))
  return new OriginFailed(isLate ? 504 : 502, error)
}

function sentOn({ headers, declaredBytes, from }: EdgeRequest): Header[] {
  const kept = withoutOwn(headers).filter(([name]) => !requestHeaders.has(name.toLowerCase()))
  const forwarded = [...valuesOf(headers, 'x-forwarded-for'), from.address].join(', ')
  return [
    ...kept,
    ...(declaredBytes ? [['Content-Length', String(declaredBytes)] as Header] : []),
    ['X-Forwarded-For', forwarded],
    ['X-Forwarded-Proto', 'http'],
    [loopHeader, 'plimsoll']
  ]
}

function withoutOwn(headers: readonly Header[]): Header[] {
  const named = valuesOf(headers, 'connection').flatMap((value) => value.toLowerCase().split(','))
  const own = new Set([...ownHeaders, ...named.map((name) => name.trim())])
  return headers.filter(([name]) => !own.has(name.toLowerCase()))
}

function paired(flat: readonly string[]): Header[] {
  return flat.flatMap((name, index): Header[] =>
    index % 2 === 0 ? [[name, flat[index + 1]!]] : []
  )
}
