import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { type LookupFunction, connect as netConnect, type Socket } from 'node:net'
import { pipeline, Readable } from 'node:stream'
import { connect as tlsConnect } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Egress, Place } from '../../kernel/egress/egress.ts'
import { exactly } from '../exactly.ts'
import type { Bytes, FetchTarget, Pairs, RequestHead, Result } from './contract.ts'

/** The network, for functions that may use it: each call is one hop or one socket. */
export type Network = {
  /** Sends a request and resolves with the head of what is answered; follows no redirect. */
  fetch(head: RequestHead, options: Going): Promise<Result>
  /** Opens a socket that sends the body and returns what arrives. */
  connect(
    address: { hostname: string; port: number; secure: boolean },
    options: Going
  ): Promise<Result>
  close(): void
}

type Going = { to: Exclude<FetchTarget, { refused: string }>; body?: Bytes; signal: AbortSignal }

const hopByHop = /^(connection|keep-alive|proxy-connection|transfer-encoding|upgrade|te|trailer)$/i
const encodings = 'gzip, deflate, br'
const headBytes = 1_048_576

/**
 * Names and values as Node takes them, without what belongs to one connection only. They come from
 * a function's code, which may have made anything of them.
 */
function sendable(headers: Pairs, { host, hasBody }: { host: string; hasBody: boolean }): string[] {
  const own = headers
    .map(([name, value]): [string, string] => [`${name}`, `${value}`])
    .filter(([name]) => !hopByHop.test(name) && name.toLowerCase() !== 'host')
    // Without a body it would take the beginning of what is sent next.
    .filter(([name]) => hasBody || name.toLowerCase() !== 'content-length')
  const asksEncoding = own.some(([name]) => name.toLowerCase() === 'accept-encoding')
  return [...own, ['host', host], ...(asksEncoding ? [] : [['accept-encoding', encodings]])].flat()
}

/** An answer as a function gets it: decoded, and without saying that it was not. */
function decoded(message: IncomingMessage, method: string): Result {
  const { rawHeaders, statusCode = 502 } = message
  const pairs = rawHeaders.flatMap(
    (name, index): Pairs => (index % 2 === 0 ? [[name, rawHeaders[index + 1]!]] : [])
  )
  const hasBody = method !== 'HEAD' && ![204, 205, 304].includes(statusCode)
  const decoder = hasBody && decoderFor(message.headers['content-encoding'])
  const framing = decoder ? /^(content-encoding|content-length)$/i : /^$/
  const headers = pairs.filter(([name]) => !hopByHop.test(name) && !framing.test(name))
  const value = { status: statusCode, headers }
  if (!hasBody) {
    message.resume()
    return { value }
  }
  // Whoever reads learns of an error; whoever reads no more has it that way.
  return { value, body: decoder ? pipeline(message, decoder, () => {}) : message }
}

function decoderFor(encoding = '') {
  if (/^(x-)?gzip$/i.test(encoding)) return createGunzip()
  if (/^deflate$/i.test(encoding)) return createInflate()
  return /^br$/i.test(encoding) ? createBrotliDecompress() : undefined
}

/** Opens connections as they are needed, where the guard lets them, and keeps them for a while. */
export function openNetwork(egress: Egress): Network {
  const http = new HttpAgent({ keepAlive: true })
  const https = new HttpsAgent({ keepAlive: true })
  // Connections within the platform are kept apart: nothing else may be sent over one of them.
  const within = new HttpAgent({ keepAlive: true })
  const wayTo = (url: string, { at }: Going['to']): Way => {
    if (at) return { start: httpRequest, agent: within, place: at }
    const { protocol, hostname, port } = new URL(url)
    const isHttps = protocol === 'https:'
    const way = isHttps
      ? { start: httpsRequest, agent: https }
      : { start: httpRequest, agent: http }
    const named = { host: bare(hostname), port: Number(port) || (isHttps ? 443 : 80) }
    return { ...way, place: outside(egress, named) }
  }
  return {
    fetch: async (head, going) => send(wayTo(head.url, going.to), { head, going }),
    async connect({ hostname, port, secure }, { to, body, signal }) {
      // What is judged has to be what is connected to, whatever a function's code says a port is.
      const place = to.at ?? outside(egress, { host: bare(hostname), port: Number(port) })
      const socket: Socket = secure
        ? tlsConnect({ ...place, servername: hostname })
        : netConnect({ ...place })
      signal.addEventListener('abort', () => socket.destroy(), { once: true })
      const opened = Promise.withResolvers<void>()
      socket.once(secure ? 'secureConnect' : 'connect', opened.resolve)
      socket.once('error', (error) => opened.reject(networkError(error)))
      await opened.promise
      if (body) pipeline(Readable.from(body), socket, () => {})
      const { remoteAddress, localAddress } = socket
      return { value: { remoteAddress, localAddress }, body: socket }
    },
    close() {
      http.destroy()
      https.destroy()
      within.destroy()
    }
  }
}

/** How a request is sent, and where: with a look-up of its own unless it stays within. */
type Way = {
  start: typeof httpRequest
  agent: HttpAgent
  place: Place & { lookup?: LookupFunction }
}

/** A place with the look-up that lets only through what may be reached; throws a TypeError. */
function outside(egress: Egress, place: Place) {
  try {
    return { ...place, lookup: egress.lookup(place) }
  } catch (error) {
    throw networkError(error as Error)
  }
}

/** A host as connections take it, without the brackets it has in a URL. */
function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '')
}

/** Sends a request and waits for the head of its answer. */
function send(way: Way, asked: { head: RequestHead; going: Going }): Promise<Result> {
  const { method, url, headers } = asked.head
  const { body, signal } = asked.going
  const { hostname, host, pathname, search } = new URL(url)
  const own = sendable(headers, { host, hasBody: body !== undefined })
  const length = lengthIn(own)
  const answer = Promise.withResolvers<Result>()
  const request = way.start({
    agent: way.agent,
    ...way.place,
    servername: hostname,
    path: pathname + search,
    method,
    headers: body && length === undefined ? [...own, 'transfer-encoding', 'chunked'] : own,
    maxHeaderSize: headBytes
  } as object)
  // Without an error: as an answer ends Node hears none of its socket for a turn, and would end.
  signal.addEventListener('abort', () => request.destroy(), { once: true })
  request.once('response', (message) => answer.resolve(decoded(message, method)))
  request.once('error', (error: NodeJS.ErrnoException) => {
    // The other side may close a kept connection in the moment in which it is used again.
    const isStale = request.reusedSocket && error.code === 'ECONNRESET' && !body
    if (isStale && !signal.aborted) answer.resolve(send(way, asked))
    else answer.reject(networkError(error))
  })
  const sent = body && length !== undefined ? exactly(body, length) : body
  if (sent) pipeline(Readable.from(sent), request, () => {})
  else request.end()
  return answer.promise
}

/** How long a request says that it is; throws where it says that in no clear way. */
function lengthIn(headers: readonly string[]): number | undefined {
  const said = headers.filter(
    (_, at) => headers[at - 1]?.toLowerCase() === 'content-length' && at % 2
  )
  if (said.length === 0) return undefined
  if (said.length === 1 && /^\d{1,15}$/.test(said[0]!)) return Number(said[0])
  throw new TypeError('fetch failed: Content-Length must be one number')
}

function networkError(error: NodeJS.ErrnoException): TypeError {
  return new TypeError(`fetch failed: ${error.code ?? error.message}`)
}
