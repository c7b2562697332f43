import { proxyFailed } from '../../route.ts'
import { countKind } from '../figures/counts.ts'
import type { Ending } from '../figures/sample.ts'
import type { DialAddress } from '../http1/dial.ts'
import type { Connections } from './transport.ts'

const sentences: Record<string, string> = {
  ECONNREFUSED: 'connection refused at',
  ECONNRESET: 'connection reset while it was being made, at',
  EHOSTUNREACH: 'no route to',
  EHOSTDOWN: 'no route to',
  ENETUNREACH: 'no route to',
  ENOTFOUND: 'no address is known for',
  EAI_AGAIN: 'the name service does not answer for'
}

/** The code of an error that says why a server opened no WebSocket. */
export const notOpened = 'WEBSOCKET_NOT_OPENED'

const untrusted = 'nobody known vouches for its certificate'
const unspoken = 'it does not speak TLS'

/** What kept a secure connection from being agreed on. */
const insecurities: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'nobody but itself vouches for its certificate',
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'it does not speak HTTP/2',
  ERR_SSL_WRONG_VERSION_NUMBER: unspoken,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: unspoken,
  EPROTO: unspoken
}

/** Why an attempt led to no connection, as a sentence; without an error it took too long. */
export function causeOf(
  ending: Ending,
  { host, port }: Pick<DialAddress, 'host' | 'port'>,
  error?: Error
): string {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`
  // Where several addresses were tried, the error of the first stands for them all.
  const first = error instanceof AggregateError ? (error.errors[0] as Error) : error
  const { code = '' } = (first ?? {}) as NodeJS.ErrnoException
  if (code === proxyFailed) return `${first!.message}, for ${place}`
  if (code === notOpened) return `no WebSocket at ${place}: ${first!.message}`
  const named = code === '' ? '' : ` (${code})`
  if (ending === 'timeout') return `no connection in time at ${place}${named}`
  if (ending === 'tls') {
    const why = insecurities[code] ?? first?.message ?? 'it was ended'
    return `no secure connection to ${place}: ${why}${named}`
  }
  if (ending === 'malformed') {
    return first ? `no HTTP/2 at ${place}: ${first.message}` : `no proper answer at ${place}`
  }
  return `${sentences[code] ?? 'no connection at'} ${place}${named}`
}

/** Counts an attempt that led to no connection to that address. */
export function countFailed(
  { failed, causes }: Connections,
  ending: Ending,
  { address, error }: { address: Pick<DialAddress, 'host' | 'port'>; error?: Error }
): void {
  failed[ending] = (failed[ending] ?? 0) + 1
  countKind(causes, causeOf(ending, address, error))
}
