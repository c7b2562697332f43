import { connect as connectTcp, isIP, type Socket } from 'node:net'
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

/** Begins to connect. Whatever arrives is put into `buffer`, and `onBytes` told how much it is. */
export function dial(
  { host, port, secure, verifyTls, route }: DialAddress,
  { buffer, onBytes }: { buffer: Buffer; onBytes: (size: number) => void }
): Socket {
  const callback = (size: number) => {
    onBytes(size)
    return true
  }
  insistOnDirect(route)
  const lookup = lookupOf(route)
  const options = { host, port, lookup, noDelay: true, onread: { buffer, callback } }
  if (!secure) return connectTcp(options)
  return connectTls({
    ...options,
    rejectUnauthorized: verifyTls,
    ALPNProtocols: ['http/1.1'],
    // An address is no server name.
    ...(isIP(host) ? {} : { servername: host }),
    ...route.tls
  })
}
