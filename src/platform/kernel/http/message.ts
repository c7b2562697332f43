import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'

/** A request as either version of HTTP brings it: its head, and its body as it is read. */
export type Received = Readable & {
  method?: string
  /** The request target as it was sent. */
  url?: string
  /** Names and values in turn, in order, one character a byte. */
  rawHeaders: string[]
  headers: IncomingHttpHeaders
  /** `1.0`, `1.1` or `2`. */
  httpVersion: string
  /** Whether the head said itself that no body follows, as HTTP/2 can. */
  isHeadOnly?: boolean
  /** Whether all of it has arrived. */
  complete: boolean
  socket: Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>
}

/** What a request is answered by, in either version of HTTP. */
export type Response = Writable & {
  statusCode: number
  headersSent: boolean
  writeHead(status: number, headers?: OutgoingHttpHeaders | string[]): Response
  getHeader(name: string): unknown
}
