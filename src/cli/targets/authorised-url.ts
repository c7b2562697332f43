import { overCap } from '../../load/cap.ts'
import type { Load } from '../../load/load.ts'
import type { Route, TlsProof } from '../../route.ts'
import { type Target, withTables } from '../../target/target.ts'
import { exit, Failure } from '../failure.ts'
import { insistOnWebUrl } from '../flags/web-url.ts'
import { permitted } from './target.ts'

/** What may be sent to a URL: where that leads, and the caps that go with it. */
export type AuthorisedUrl = { origin: string; route: Route; caps: Target['caps'] }

/**
 * Authorises a URL, for so long where that is known; ends the command where nobody allows it. `tls`
 * goes with the route where that is of https.
 */
export async function authoriseUrl(
  url: string,
  { authorisation, seconds = 0, tls }: { authorisation: string; seconds?: number; tls?: TlsProof }
): Promise<AuthorisedUrl> {
  insistOnWebUrl(url)
  const { origin } = new URL(url)
  const target = withTables({ name: url, endpoints: { service: { url: origin } } }, {})
  const { caps, endpoints } = await permitted(target, { authorisation, tls })
  insistOnTime(seconds, { caps })
  return { origin, route: endpoints.service!.route!, caps }
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
