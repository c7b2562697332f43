import { Readable } from 'node:stream'
import type { Pool } from 'undici'
import type { Clock } from '../clock.ts'
import { type Address, targetOf } from '../target/address.ts'
import { changed, type Headers } from './headers.ts'
import type { Reply } from './reply.ts'
import { createListener } from './reply-handler.ts'
import { timeouts } from './timeouts.ts'

/** What a request carries besides its method and path; `json` goes before `body`. */
export type RequestOptions = {
  headers?: Record<string, string>
  json?: unknown
  body?: string | Uint8Array
  /** Bytes of the chunks that the body is sent in; by default its length is told before it. */
  chunkBytes?: number
  /** Added to the path, percent-encoded; undefined ones are left out. */
  query?: Record<string, string | number | undefined>
  /** After how long without a byte the request is given up. */
  timeoutMs?: number
  /** How long the whole may take; by default ten timeouts and a second for each megabyte sent. */
  deadlineMs?: number
}

/** Sends one request over the pool's connections; throws a TypeError where it cannot be sent. */
export async function request(asked: {
  pool: Pool
  address: Address
  clock: Clock
  method: string
  path: string
  headers: Headers
  timeoutMs: number
  options: RequestOptions
}): Promise<Reply> {
  const { pool, address, clock, method, options } = asked
  const { timeoutMs = asked.timeoutMs, deadlineMs, chunkBytes = 0 } = options
  const path = targetOf(address, withQuery(asked.path, options.query))
  const { type, bytes } = content(options)
  const { handler, reply } = createListener({
    request: { method, url: `${address.origin}${path}`, bodyBytes: bytes.length },
    address,
    timeouts: timeouts({ timeoutMs, deadlineMs, bytes: bytes.length }),
    clock
  })
  pool.dispatch(
    {
      method,
      path,
      headers: changed({ ...type, ...asked.headers }, options.headers),
      body: bytes.length === 0 ? null : chunkBytes > 0 ? inChunks(bytes, chunkBytes) : bytes,
      headersTimeout: 0,
      bodyTimeout: 0
    },
    handler
  )
  return reply
}

/** Of a stream undici tells no length: each part is a chunk (RFC 9112, 7.1). */
function inChunks(bytes: Uint8Array, size: number): Readable {
  const count = Math.ceil(bytes.length / size)
  const part = (_: unknown, at: number) => bytes.subarray(at * size, (at + 1) * size)
  return Readable.from(Array.from({ length: count }, part))
}

function withQuery(path: string, query: RequestOptions['query'] = {}): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map((pair) => pair.map((part) => encodeURIComponent(part!)).join('='))
  if (pairs.length === 0) return path
  return `${path}${path.includes('?') ? '&' : '?'}${pairs.join('&')}`
}

function content({ json, body = '' }: RequestOptions): { type: Headers; bytes: Uint8Array } {
  if (json === undefined) {
    return { type: {}, bytes: typeof body === 'string' ? Buffer.from(body) : body }
  }
  const type = { 'content-type': 'application/json' }
  return { type, bytes: Buffer.from(JSON.stringify(json)) }
}
