import { isIP, isIPv6 } from 'node:net'
import { networks, plainHost } from './address.ts'

/** Where a connection is about to go: the address, the name that was asked for, and the port. */
export type Destined = { address: string; name: string; port: number }

/** Something that was named at the start, and may be reached wherever it is. */
export type Allowance = (to: Destined) => boolean

/**
 * Reads `HOST:PORT`: an address, a network such as `10.1.0.0/16` or a name, those of IPv6 in
 * brackets; a port, a range of ports or `*`. A name allows what is asked for by that name. Throws
 * an Error that says what is wrong.
 */
export function parseAllowance(text: string): Allowance {
  const [, bracketed, bare, from, to] =
    /^(?:\[([^\]]+)\]|([^:[\]]+)):(?:\*|(\d{1,5})(?:-(\d{1,5}))?)$/.exec(text) ?? []
  const host = plainHost(bracketed ?? bare ?? '')
  const [first, last] = from === undefined ? [0, 65_535] : [Number(from), Number(to ?? from)]
  const holds = host === '' ? undefined : holderOf(host, bracketed !== undefined)
  if (holds === undefined || first > last || last > 65_535) throw new Error(complaint(text))
  return (destined) => first <= destined.port && destined.port <= last && holds(destined)
}

function holderOf(host: string, isBracketed: boolean): Allowance | undefined {
  const [address, bits, ...rest] = host.split('/')
  if (isIP(address!) === 0) {
    const isName = /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9_])?$/.test(host) && !isBracketed
    // Something like 127.1 or 0x7f.1 is an address in a form that is never compared.
    const isNumber = /(^|\.)(\d+|0x[\da-f]*)$/.test(host)
    return isName && !isNumber ? ({ name }) => name === host : undefined
  }
  const most = isIPv6(address!) ? 128 : 32
  const isNetwork = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most)
  if (!isNetwork || rest.length > 0) return undefined
  const holds = networks(host)
  return (destined) => holds(destined.address)
}

function complaint(text: string): string {
  return (
    'what may be reached is given as HOST:PORT, such as 127.0.0.1:9000, [::1]:9000, ' +
    `10.1.0.0/16:443, logs.internal:8000-8010 or 127.0.0.1:*, not as "${text}"`
  )
}
