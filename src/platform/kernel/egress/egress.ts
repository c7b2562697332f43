import { type LookupAddress, lookup as lookUp } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import connectorFor from 'undici/lib/core/connect.js'
import { isThisMachine, kindOf, plainHost } from './address.ts'
import { type Allowance, type Destined, parseAllowance } from './allowance.ts'

/** A host as it is asked for, a name or an address, and a port. */
export type Place = { host: string; port: number }

/** A connection was not opened, since nobody allowed the platform to reach where it leads. */
export class EgressRefused extends Error {
  override name = 'EgressRefused'
}

/**
 * The guard at every way out of the platform that others choose the end of. It is asked about the
 * addresses that connections are opened to, and not about the names that led to them.
 */
export type Egress = {
  /**
   * The look-up with which a connection to a place has to be opened: it knows only addresses that
   * may be reached. Throws `EgressRefused` when the place is an address that may not.
   */
  lookup(place: Place): LookupFunction
  /** Why a place cannot be reached, as far as that can be told without looking it up. */
  refusal(place: Place): string | undefined
  /** The same guard with one more place that may be reached. */
  naming(place: Place): Egress
  /** Takes the listener at this address for one of the platform's own: it is never reached. */
  keepFrom(url: string): void
}

/** Finds all addresses of a name, as `dns.lookup` does with `all`. */
export type Resolve = (
  name: string,
  options: { all: true },
  then: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void
) => void

/**
 * A guard that lets out what leads to the open Internet and, beside it, what was named at the
 * start: texts as `parseAllowance` takes them. The platform's own listeners are not to be named.
 */
export function createEgress({
  allowed = [],
  resolve = lookUp as Resolve
}: {
  allowed?: readonly string[]
  resolve?: Resolve
} = {}): Egress {
  return guard({ allowed: allowed.map(parseAllowance), resolve, ownPorts: new Set() })
}

type Parts = { allowed: readonly Allowance[]; resolve: Resolve; ownPorts: Set<number> }

function guard(parts: Parts): Egress {
  const { allowed, resolve, ownPorts } = parts

  function objectionTo(to: Destined): string | undefined {
    if (ownPorts.has(to.port) && isThisMachine(to.address))
      return `${shown(to)} is a listener of the platform itself, which is never reached from within`
    const kind = kindOf(to.address)
    if (kind === undefined || allowed.some((allows) => allows(to))) return undefined
    const flag = `--allow-egress ${bracketed(to.name)}:${to.port}`
    return `${shown(to)} is ${kind}, to be reached only when the platform is started with ${flag}`
  }

  function objection({ host, port }: Place): string | undefined {
    const name = plainHost(host)
    if (isIP(name)) return objectionTo({ address: name, name, port })
    if (/(^|\.)localhost$/.test(name)) return objectionTo({ address: '127.0.0.1', name, port })
  }

  return {
    refusal: objection,
    lookup(place) {
      const isAddress = isIP(plainHost(place.host)) !== 0
      const told = isAddress ? objection(place) : undefined
      if (told !== undefined) throw new EgressRefused(told)
      return (asked, options, then) => {
        const name = plainHost(asked)
        resolve(asked, { ...options, all: true }, (error, found) => {
          if (error) return then(error, [])
          const judged = found.map(({ address }) =>
            objectionTo({ address, name, port: place.port })
          )
          const open = found.filter((_, index) => judged[index] === undefined)
          const because = judged[0] ?? `${asked} has no address`
          if (open.length === 0) return then(new EgressRefused(because), [])
          if (options.all) return then(null, open)
          then(null, open[0]!.address, open[0]!.family)
        })
      }
    },
    naming({ host, port }) {
      const name = plainHost(host)
      const own: Allowance = (to) => to.name === name && to.port === port
      return guard({ ...parts, allowed: [...allowed, own] })
    },
    keepFrom: (url) => void ownPorts.add(placeOf(url).port)
  }
}

/** The place that a URL of HTTP or HTTPS names. */
export function placeOf(url: string): Place {
  const { protocol, hostname, port } = new URL(url)
  return { host: plainHost(hostname), port: Number(port) || (protocol === 'https:' ? 443 : 80) }
}

/** Opens connections for undici, to where the guard lets them; they fail with `EgressRefused`. */
export function guarded(
  egress: Egress,
  { timeout }: { timeout: number }
): buildConnector.connector {
  return (options, then) => {
    const place = placeOf(`${options.protocol}//${options.host}`)
    try {
      const own = { lookup: egress.lookup(place), timeout, allowH2: false }
      connectorFor(own as buildConnector.BuildOptions)(options, then)
    } catch (error) {
      then(error as Error, null)
    }
  }
}

function shown({ address, name, port }: Destined): string {
  const place = `${bracketed(address)}:${port}`
  return name === address ? place : `${name} leads to ${place}, which`
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
