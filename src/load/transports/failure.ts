import { proxyFailed } from '../../route.ts'
import type { Ending } from '../figures/sample.ts'

const endingOfCode: Record<string, Ending> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  EHOSTDOWN: 'refused',
  ENETUNREACH: 'refused',
  ENOTFOUND: 'refused',
  EAI_AGAIN: 'refused',
  [proxyFailed]: 'refused',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'reset',
  UND_ERR_SOCKET: 'closed',
  UND_ERR_CLOSED: 'closed',
  EMFILE: 'exhausted',
  ENFILE: 'exhausted',
  ENOBUFS: 'exhausted',
  ENOMEM: 'exhausted',
  EADDRNOTAVAIL: 'exhausted'
}

/** The class of a connection's failure; `secure` while a TLS handshake is under way. */
export function endingOf(error: Error, options: { secure: boolean }): Ending {
  // Where several addresses were tried, the error of the first stands for them all.
  const cause = error instanceof AggregateError ? (error.errors[0] as Error) : error
  const code = (cause as NodeJS.ErrnoException).code ?? ''
  if (cause.name === 'HTTPParserError') return 'malformed'
  return endingOfCode[code] ?? (options.secure ? 'tls' : 'reset')
}
