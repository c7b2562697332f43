import { randomBytes } from 'node:crypto'
import type { Received } from '../kernel/http/message.ts'

/** A request as the edge sees it; in target and headers one character is one byte. */
export type EdgeRequest = {
  /** An id of its own: 16 hexadecimal digits. */
  ray: string
  method: string
  /** The request target as it was sent. */
  target: string
  /** The target without scheme and host: path and query. */
  uri: string
  /** The target's path, without its query. */
  path: string
  /** Names and values as sent, in order, repeated ones apart. */
  headers: [name: string, value: string][]
  /** The host name asked for, without a port and in lower case. */
  host: string
  /** Bytes of body the client announced; undefined when it does not say how many. */
  declaredBytes?: number
  /** HTTP version: `1.0`, `1.1` or `2`. */
  version: string
  /** The client's address and port, and the port it came to. */
  from: { address: string; port: number; to: number }
  body: AsyncIterable<Buffer>
}

/** Reads a request's head; its body is read when it is iterated, and left alone until then. */
export function receive(message: Received): EdgeRequest {
  const { method = 'GET', url: target = '/', rawHeaders, headers: known, socket } = message
  const [, authority = known.host ?? '', uri = ''] = /^(?:https?:\/\/([^/?#]*))?(.*)/i.exec(target)!
  const path = /^[^?#]*/.exec(uri)![0]
  // Over HTTP/2 a body needs no framing of its own: there is one unless the head was all.
  const isOpen =
    message.httpVersion === '2'
      ? known['content-length'] === undefined && !message.isHeadOnly
      : known['transfer-encoding'] !== undefined
  return {
    ray: randomBytes(8).toString('hex'),
    method,
    target,
    uri: path === '' ? `/${uri}` : uri,
    path: path || '/',
    headers: rawHeaders.flatMap((name, index): [string, string][] =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1]!]] : []
    ),
    host: hostName(authority),
    declaredBytes: isOpen ? undefined : Number(known['content-length'] ?? 0),
    version: message.httpVersion,
    from: {
      address: socket.remoteAddress ?? '',
      port: socket.remotePort ?? 0,
      to: socket.localPort ?? 0
    },
    body: bodyOf(message)
  }
}

/**
 * A body as it arrives. Leaving it early must not take the connection down, since the answer still
 * has to be sent; and what is left must not stand in the way of the next request.
 */
async function* bodyOf(message: Received): AsyncGenerator<Buffer> {
  try {
    yield* message.iterator({ destroyOnReturn: false })
  } finally {
    message.resume()
  }
}

function hostName(authority: string): string {
  return authority.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}
