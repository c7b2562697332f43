import { hash, timingSafeEqual } from 'node:crypto'
import { send } from './answer.ts'
import type { Service } from './listener.ts'
import type { Received } from './message.ts'

type Refusal = { status: 401 | 403 | 415; error: string; headers?: Record<string, string> }

/**
 * A service for whoever knows its secret. Web pages are kept out whatever they know: by `Origin`,
 * which they cannot leave out, and by `Host`, which a name that was made to lead here shows.
 */
export function locked(service: Service, secret: string): Service {
  const key = digest(`Bearer ${secret}`)
  const isKey = (given = '') => timingSafeEqual(digest(given), key)

  function refusalOf({ headers, socket }: Received): Refusal | undefined {
    const own = `${socket.localAddress}:${socket.localPort}`
    if (headers.host !== own) return { status: 403, error: `Host must be ${own}` }
    if (headers.origin !== undefined)
      return { status: 403, error: 'web pages are not served here: leave out Origin' }
    if (!isKey(headers.authorization)) return unknownKey
    if (hasBody(headers) && !/^application\/json *(;|$)/i.test(headers['content-type'] ?? ''))
      return { status: 415, error: 'a body must be of Content-Type: application/json' }
  }

  return {
    ...service,
    onRequest(message, response, proceed) {
      const refusal = refusalOf(message)
      if (refusal === undefined) return service.onRequest(message, response, proceed)
      const { status, error, headers } = refusal
      send(response, { status, type: 'application/json', body: JSON.stringify({ error }), headers })
    }
  }
}

const unknownKey: Refusal = {
  status: 401,
  error: 'send Authorization: Bearer, with the controlToken that was announced at the start',
  headers: { 'WWW-Authenticate': 'Bearer' }
}

/** Digests are of one length, so that comparing them says nothing of what was compared. */
function digest(text: string): Buffer {
  return hash('sha256', text, 'buffer')
}

function hasBody(headers: Received['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}
