import type { Address } from '../target/address.ts'
import type { Reply } from './reply.ts'

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

const lacks: Record<string, string> = {
  EMFILE: 'this process may open no more files: raise `ulimit -n`',
  ENFILE: 'this machine has no file descriptor left',
  EADDRNOTAVAIL: 'this machine has no port left',
  ENOBUFS: 'this machine has no buffer left for a connection'
}

/** Whose fault it is that no connection could be made, and why. */
export function unconnected(
  cause: { code?: string; message?: string },
  address: Pick<Address, 'hostname' | 'port'>
): [kind: Reply['kind'], because: string] {
  const lack = lacks[cause.code ?? '']
  return lack === undefined ? ['refused', refusal(cause, address)] : ['unsent', lack]
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
