import type { Caps } from '../caps.ts'
import type { Route, Routes } from '../route.ts'
import { parseAddress } from './address.ts'

/** Where one of a target's listeners answers, and what every request to it carries. */
export type Endpoint = {
  url: string
  headers?: Record<string, string>
  /** False asks a listener over TLS whoever it is. Default: true. */
  verifyTls?: boolean
  /** Where its connections lead, as it was checked; a place on loopback needs none. */
  route?: Route
}

/** Whether all of these listeners have to prove who they are. */
export function verifiesTls({ endpoints }: Target, names: readonly string[]): boolean {
  return names.every((name) => endpoints[name]?.verifyTls !== false)
}

/** Where these listeners' connections lead, by origin. */
export function routesOf({ endpoints }: Target, names: readonly string[]): Routes {
  const found = names.flatMap((name) => {
    const { url, route } = endpoints[name] ?? {}
    return url === undefined || route === undefined ? [] : [[parseAddress(url).origin, route]]
  })
  return Object.fromEntries(found)
}

/** What is tested, over the network. Plain data: it crosses threads and stands in the report. */
export type Target = {
  name: string
  /** Listeners by name; `service` is the one of a target that is given as a URL. */
  endpoints: Record<string, Endpoint>
  /** Ids by name of what the target is divided into, which a document may call zones. */
  zones: Record<string, string>
  /** Host names by name: what a listener is asked for, where it serves several. */
  hosts: Record<string, string>
  /** Other credentials scenarios may ask for by name, such as `readOnlyToken`. */
  credentials: Record<string, string>
  /** Names of zones that a person allows to be used up; absent for none. */
  disposable?: string[]
  /** Module that offers what the documented API does not; see `Adapter`. */
  adapter?: string
  /** The tightest caps of all its listeners, by the authorisation file; absent on loopback. */
  caps?: Omit<Caps, 'meter'>
}
