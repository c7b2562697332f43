import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { bare, insistOnDirect, lookupOf, routeTo } from '../route.ts'
import type { Address } from '../target/address.ts'

/**
 * A new connection to `address`; `ready` names its event after which it can be written to. Over TLS
 * the other side has to prove that it is `host`, the host (and port) that the request is for, where
 * the address asks for proof.
 */
export function openConnection(options: { address: Address; host: string }): {
  socket: Socket
  ready: string
} {
  const { origin, hostname, port, isSecure, verifyTls = true } = options.address
  const { route = routeTo(origin) } = options.address
  insistOnDirect(route)
  const place = { host: bare(hostname), port, lookup: lookupOf(route) }
  if (!isSecure) return { socket: connect({ ...place, noDelay: true }), ready: 'connect' }
  const name = bare(new URL(`https://${options.host}`).hostname)
  const servername = isIP(name) ? undefined : name
  const proof = { servername, rejectUnauthorized: verifyTls, ...route.tls }
  const socket = connectSecurely({ ...place, ...proof, ALPNProtocols: ['http/1.1'] })
  return { socket, ready: 'secureConnect' }
}
