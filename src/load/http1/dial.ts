import { connect as connectTcp, isIP, type OnReadOpts, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { bare, insistOnDirect, lookupOf, type Route } from '../../route.ts'

/** Where a connection leads, and how far a certificate must be trusted. */
export type DialAddress = {
  host: string
  port: number
  secure: boolean
  /** False connects to targets whose certificate cannot be verified. */
  verifyTls: boolean
  route: Route
}

/** The address an origin such as `https://example.com` stands for. */
export function addressOf(
  origin: string,
  { verifyTls, route }: Pick<DialAddress, 'verifyTls' | 'route'>
): DialAddress {
  const { protocol, hostname, port } = new URL(origin)
  const secure = protocol === 'https:'
  const host = bare(hostname)
  return { host, port: Number(port) || (secure ? 443 : 80), secure, verifyTls, route }
}

/** What carries a connection's bytes. */
export type Stream = {
  write(bytes: Buffer): unknown
  /** How much of what was written has not left yet. */
  readonly writableLength: number
  destroy(): unknown
}

/** What is heard of a stream. */
export type StreamEars = {
  onUp(): void
  /** Bytes lie between these places of the buffer that all streams read into. */
  onBytes(at: number, end: number): void
  /** No more bytes come. */
  onEnd(): void
  onClose(): void
  onError(error: Error): void
}

/** A way to move the bytes of connections. */
export type Medium = {
  /** Begins to connect; nothing is heard of it before it returns. */
  dial(address: DialAddress, ears: StreamEars): Stream
  /** How many bytes of what was written are not known to have left yet. */
  unsent(stream: Stream): number
  /** All streams read into this: what is in it is used up at once. */
  buffer: Buffer
  /** Whether whoever calls `onBytes` flushes once all that has arrived is worked off. */
  flushesLater: boolean
}

/** Bytes by sockets of Node, which put all that arrives into that buffer. */
export function socketMedium(buffer: Buffer): Medium {
  return {
    buffer,
    flushesLater: false,
    unsent,
    dial(address, ears) {
      const socket = dial(address, { buffer, onBytes: (size) => ears.onBytes(0, size) })
      return tellOf(socket, address, ears)
    }
  }
}

/** A socket of Node counts a write as a whole until it is over; its handle knows how far it is. */
function unsent(stream: Stream): number {
  const { _handle: handle } = stream as unknown as { _handle?: { writeQueueSize?: number } }
  return handle?.writeQueueSize ?? stream.writableLength
}

/** Has ears told of a socket what it tells beside the bytes that come. */
export function tellOf(
  socket: Socket,
  { secure }: Pick<DialAddress, 'secure'>,
  { onUp, onEnd, onClose, onError }: StreamEars
): Socket {
  return socket
    .on(secure ? 'secureConnect' : 'connect', onUp)
    .on('end', onEnd)
    .on('close', onClose)
    .on('error', onError)
}

/** What is spoken over TLS, as it is agreed on (ALPN). */
export type AlpnProtocol = 'http/1.1' | 'h2'

/** Begins to connect. Whatever arrives is put into `buffer`, and `onBytes` told how much it is. */
export function dial(
  address: DialAddress,
  options: { buffer: Buffer; onBytes: (size: number) => void; protocol?: AlpnProtocol }
): Socket {
  const { buffer, onBytes, protocol } = options
  const callback = (size: number) => {
    onBytes(size)
    return true
  }
  return dialSocket(address, { onread: { buffer, callback } }, protocol)
}

/** Begins to connect by a socket of Node, along the address's route. */
export function dialSocket(
  { host, port, secure, verifyTls, route }: DialAddress,
  more: { onread?: OnReadOpts } = {},
  protocol: AlpnProtocol = 'http/1.1'
): Socket {
  insistOnDirect(route)
  const lookup = lookupOf(route)
  const options = { host, port, lookup, noDelay: true, ...more }
  if (!secure) return connectTcp(options)
  return connectTls({
    ...options,
    rejectUnauthorized: verifyTls,
    ALPNProtocols: [protocol],
    // An address is no server name.
    ...(isIP(host) ? {} : { servername: host }),
    ...route.tls
  })
}
