import type { IncomingMessage } from 'node:http'

/** A request as the edge sees it; in target and headers one character is one byte. */
export type EdgeRequest = {
  method: string
  /** The request target as it was sent. */
  target: string
  /** The target's path, without its query. */
  path: string
  /** Names and values as sent, in order, repeated ones apart. */
  headers: [name: string, value: string][]
  /** The host names asked for: exactly one in a good request; without a port, in lower case. */
  hosts: string[]
  /** Bytes of body the client announced; undefined when it sends chunks. */
  declaredBytes?: number
  body: AsyncIterable<Buffer>
}

/** Reads a request's head; its body is read when it is iterated, and left alone until then. */
export function receive(message: IncomingMessage): EdgeRequest {
  const { method = 'GET', url: target = '/', rawHeaders } = message
  const headers = rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, rawHeaders[index + 1]!]] : []
  )
  const values = (wanted: string) =>
    headers.filter(([name]) => name.toLowerCase() === wanted).map(([, value]) => value)
  const [, authority, path = '/'] = /^(?:https?:\/\/([^/?#]*))?([^?#]*)/i.exec(target)!
  const isChunked = values('transfer-encoding').length > 0
  return {
    method,
    target,
    path: path || '/',
    headers,
    hosts: (authority === undefined ? values('host') : [authority]).map(hostName),
    declaredBytes: isChunked ? undefined : Number(values('content-length')[0] ?? 0),
    // Leaving the loop early must not take the connection down: the answer still has to be sent.
    body: message.iterator({ destroyOnReturn: false })
  }
}

function hostName(authority: string): string {
  return authority.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '')
}
