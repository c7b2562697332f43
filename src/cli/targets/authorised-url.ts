import { overCap } from '../../load/cap.ts'
import type { Load } from '../../load/load.ts'
import { bare, type HttpProxy, isLoopback, type Route, type TlsProof } from '../../route.ts'
import { type Target, withTables } from '../../target/target.ts'
import { exit, Failure } from '../failure.ts'
import { insistOnWebUrl } from '../flags/web-url.ts'
import { permitted } from './target.ts'

/** What may be sent to a URL: where that leads, and the caps that go with it. */
export type AuthorisedUrl = { origin: string; route: Route; caps: Target['caps'] }

/**
 * Authorises a URL, for so long where that is known; ends the command where nobody allows it. `tls`
 * goes with the route where that is of https; a proxy needs the same leave.
 */
export async function authoriseUrl(
  url: string,
  options: { authorisation: string; seconds?: number; tls?: TlsProof; through?: Through }
): Promise<AuthorisedUrl> {
  const { authorisation, seconds = 0, tls, through } = options
  insistOnWebUrl(url)
  const { origin } = new URL(url)
  const target = withTables({ name: url, endpoints: { service: { url: origin } } }, {})
  const { caps, endpoints } = await permitted(target, { authorisation, tls })
  insistOnTime(seconds, { caps })
  const route = endpoints.service!.route!
  if (through === undefined) return { origin, route, caps }
  return { origin, caps, route: await routeThrough(through, route, { authorisation, seconds }) }
}

/** A proxy that is named, and what it is shown. */
type Through = { url: string; authorization?: string }

/** A route through a proxy, which needs leave as a target does: all that is sent goes there too. */
async function routeThrough(
  { url, authorization }: Through,
  route: Route,
  options: { authorisation: string; seconds: number }
): Promise<Route> {
  const { route: way } = await authoriseUrl(url, options)
  const { hostname, port } = new URL(url)
  if (!way.addresses.every(isLoopback) && route.addresses.every(isLoopback)) {
    const own = 'a loopback address is its own there, and not of this machine'
    throw new Failure(`--proxy ${url} leads elsewhere: ${own}`, exit.notAuthorised)
  }
  const place = { host: bare(hostname), port: Number(port) || 80, addresses: way.addresses }
  const proxy: HttpProxy = { ...place, ...(authorization !== undefined && { authorization }) }
  return { ...route, proxy, ...tighter(route, way) }
}

/** The caps of a target and those of a proxy on the way there: whichever are fewer a second. */
function tighter({ caps }: Route, { caps: others }: Route): Pick<Route, 'caps'> {
  if (caps === undefined || others === undefined) return { caps: caps ?? others }
  const fewer = caps.requestsPerSecond <= others.requestsPerSecond ? caps : others
  return { caps: { ...fewer, untilMs: Math.min(caps.untilMs, others.untilMs) } }
}

/** Ends the command when it would go on for longer than the caps allow. */
export function insistOnTime(seconds: number, { caps }: Pick<AuthorisedUrl, 'caps'>): void {
  if (caps === undefined || seconds <= caps.seconds) return
  throw new Failure(`the authorisation caps a run at ${caps.seconds} s`, exit.notAuthorised)
}

/** Ends the command when a load is more than the caps allow. */
export function insistOnCaps(load: Load, { caps }: Pick<AuthorisedUrl, 'caps'>): void {
  const refused = overCap(load, caps)
  if (refused) throw new Failure(refused, exit.notAuthorised)
}
