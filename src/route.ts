import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { Caps } from './caps.ts'

/**
 * By what a target is known over TLS, and what the client shows of itself: PEM texts, plain data.
 * Without them a target is known by the authorities that Node comes with, under its own name.
 */
export type TlsProof = {
  /** Authorities that are trusted in place of the usual ones. */
  ca?: string
  cert?: string
  key?: string
  /** The name that is asked for and has to be in the certificate. */
  servername?: string
}

/** An HTTP proxy that connections go through: plain data. */
export type HttpProxy = {
  host: string
  port: number
  /** Those that were checked, as a route has them. */
  addresses: readonly string[]
  /** What it is shown, where it wants to know who asks. */
  authorization?: string
}

/** The code of an error that is a proxy's. */
export const proxyFailed = 'PROXY_FAILED'

/** Where connections for an origin lead, and how much may be sent over them: plain data. */
export type Route = {
  /** The addresses that were checked; a connection leads to one of them, or is not made. */
  addresses: readonly string[]
  /** What both sides prove to each other, where that is not as usual. */
  tls?: TlsProof
  /** What they go through; nothing goes around it. */
  proxy?: HttpProxy
  /** Absent where all of them are this machine's own. */
  caps?: Caps
}

/** Routes by origin: scheme, host and port, as a URL has them. */
export type Routes = Readonly<Record<string, Route>>

const ownAddresses = new BlockList()
ownAddresses.addSubnet('127.0.0.0', 8, 'ipv4')
ownAddresses.addAddress('::1', 'ipv6')

/** Whether an IP address is this machine's own: 127.0.0.0/8 or ::1, mapped ones too. */
export function isLoopback(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && ownAddresses.check(address, family === 4 ? 'ipv4' : 'ipv6')
}

/** A host of a URL as sockets want it: an IPv6 address without its brackets. */
export function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/**
 * The route to an origin. Only loopback addresses need none to be known; throws an Error for every
 * other place, names included: nobody has checked where they lead.
 */
export function routeTo(origin: string, routes: Routes = {}): Route {
  const known = routes[origin]
  if (known !== undefined) return known
  const host = bare(new URL(origin).hostname)
  if (isLoopback(host)) return { addresses: [host] }
  throw new Error(`nobody has checked where ${origin} leads: nothing is sent there`)
}

/** Throws an Error where something would be sent around the proxy that a route names. */
export function insistOnDirect({ proxy }: Route): void {
  if (proxy !== undefined) throw new Error('this way to send goes through no proxy')
}

/** A socket's `lookup` that knows a route's addresses, and asks no name service ever again. */
export function lookupOf({ addresses }: Pick<Route, 'addresses'>): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (hostname, { family = 0, all: wantsAll }, callback) => {
    const wanted = { IPv4: 4, IPv6: 6 }[family] ?? family
    const found = all.filter((one) => wanted === 0 || one.family === wanted)
    const [first] = found
    if (first === undefined) {
      const unknown = new Error(`no address is known for ${hostname}`)
      callback(Object.assign(unknown, { code: 'ENOTFOUND' }), '')
    } else if (wantsAll) callback(null, found)
    else callback(null, first.address, first.family)
  }
}
