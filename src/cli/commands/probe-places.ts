import type { Ordinary } from '../../limit/dimension.ts'
import type { Endpoint } from '../../target/target.ts'
import { Failure } from '../failure.ts'
import { type GivenProbeFlags, type ProbeFlags, usualLimits } from '../flags/probe-flags.ts'
import { requestOf } from '../flags/request-flags.ts'
import { tlsOf } from '../flags/tls-flags.ts'
import { authoriseUrl } from '../targets/authorised-url.ts'

/** Somebody who may be asked, and what. */
export type AskedPlace = { endpoint: Endpoint; ordinary: Ordinary }

/** The flags with what follows from them; throws a Failure for those that do not go together. */
export function settled(given: GivenProbeFlags): ProbeFlags {
  const { via, origin, replicas, claims, race } = given
  if (via !== undefined && given.url !== undefined) {
    throw new Failure('--via names the URL to ask, which is given already: leave one of them out')
  }
  const url = given.url ?? via ?? replicas[0]
  if (url === undefined) {
    throw new Failure('which URL? As in: plimsoll probe http://127.0.0.1:8080/')
  }
  const limits = given.limits ?? usualLimits(given)
  if (limits.includes('keep-alive-race') && origin === undefined) {
    throw new Failure('--limits keep-alive-race needs --origin URL: what the front passes on to')
  }
  if ((claims || race) && (origin !== undefined || replicas.length > 0)) {
    throw new Failure('--claims and --race ask one URL: leave --origin and --replicas out')
  }
  if (replicas.length === 1) throw new Failure('--replicas needs two at least: --replicas URL,URL')
  if (replicas.length > 0 && !limits.includes('rate')) {
    throw new Failure('--replicas needs rate among --limits: it is what they count')
  }
  return { ...given, url, limits }
}

/** Where a URL leads, by leave; what is asked there has the path of `base` where it has none. */
export async function placeAt(url: string, options: ProbeFlags): Promise<AskedPlace> {
  const place = webUrl(url)
  const tls = tlsOf([place], options)
  const { route } = await authoriseUrl(place, { ...options, seconds: options.time, tls })
  const { origin } = new URL(place)
  const own = pathOf(url)
  const request = requestOf(webUrl(options.url), { ...options, body: undefined })
  const headers = Object.entries(request.headers ?? {}).map(([name, values]): [string, string] => [
    name,
    [values].flat().join(', ')
  ])
  const path = own === '/' ? pathOf(options.url) : own
  return {
    endpoint: { url: origin, verifyTls: !options.insecure, route },
    ordinary: { method: options.method, path, headers }
  }
}

/** Where a WebSocket, or a call of gRPC, begins as a request. */
const webUrl = (url: string) => url.replace(/^(ws|grpc)(?=s?:)/i, 'http')

function pathOf(url: string): string {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}`
}
