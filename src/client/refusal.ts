import type { Address } from './address.ts'

const sentences: Record<string, string> = {
  ECONNREFUSED: 'connection refused at',
  ECONNRESET: 'connection reset while it was being made, at',
  EHOSTUNREACH: 'no route to',
  ENETUNREACH: 'no route to',
  ENOTFOUND: 'no address is known for',
  EAI_AGAIN: 'the name service does not answer for',
  ETIMEDOUT: 'no connection in time at',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time at'
}

/** Why no connection could be made, as a sentence. */
export function refusal(
  cause: { code?: string; message?: string },
  { hostname, port }: Pick<Address, 'hostname' | 'port'>
): string {
  const place = `${hostname}:${port}`
  const sentence = sentences[cause.code ?? '']
  return sentence
    ? `${sentence} ${place}`
    : `no connection at ${place}: ${cause.message || cause.code}`
}
