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

/**
 * Whether a name is that of a listener which is one of another's own, as `edge.free` is of `edge`:
 * who may use that one may use this.
 */
export function isPartOf(name: string, { endpoints }: Target, names: readonly string[]): boolean {
  return name in endpoints && names.some((whole) => name.startsWith(`${whole}.`))
}

/** The names of these listeners, and of those that are their own. */
function withParts(target: Target, names: readonly string[]): string[] {
  const all = Object.keys(target.endpoints)
  return [...names, ...all.filter((name) => isPartOf(name, target, names))]
}

/** Whether all of these listeners have to prove who they are. */
export function verifiesTls(target: Target, names: readonly string[]): boolean {
  const { endpoints } = target
  return withParts(target, names).every((name) => endpoints[name]?.verifyTls !== false)
}

/** Where these listeners' connections lead, by origin. */
export function routesOf(target: Target, names: readonly string[]): Routes {
  const { endpoints } = target
  const found = withParts(target, names).flatMap((name) => {
    const { url, route } = endpoints[name] ?? {}
    return url === undefined || route === undefined ? [] : [[parseAddress(url).origin, route]]
  })
  return Object.fromEntries(found)
}

/**
 * What a document's targets have beside endpoints, each a table of texts by name, such as ids of
 * what a target is divided into. Which there are depends on the document: its `_target.ts` lists
 * them, and declares them with `declare module 'plimsoll' { interface Tables { … } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: documents add to it.
export interface Tables {}

/** A target without the tables of its document. */
export type BareTarget = {
  name: string
  /** Listeners by name; `service` is the one of a target that is given as a URL. */
  endpoints: Record<string, Endpoint>
  /** The file that says all this; absent where a target is given as a URL. */
  file?: string
  /** Names of what a person allows to be used up; absent for none. */
  disposable?: string[]
  /** Module that offers what the documented API does not; see `Adapter`. */
  adapter?: string
  /** The tightest caps of all its listeners, by the authorisation file; absent on loopback. */
  caps?: Omit<Caps, 'meter'>
}

/** What is tested, over the network. Plain data: it crosses threads. */
export type Target = BareTarget & Tables

/** What every target has, by names that no table can have. */
export const taken: readonly string[] = Object.keys({
  name: true,
  endpoints: true,
  file: true,
  disposable: true,
  adapter: true,
  caps: true
} satisfies Record<keyof BareTarget, true>)

/** Any tables, as those who know of no document see them. */
type AnyTables = Record<string, Readonly<Record<string, string>>>

/** A target with these tables, none of which is anything else that it has. */
export function withTables(target: BareTarget, tables: AnyTables): Target {
  return { ...tables, ...target } as Target
}

/** The tables of a target, which are whatever it has beside what every target has. */
export function tablesOf(target: Target): Tables & AnyTables {
  const own = Object.entries(target).filter(([name]) => !taken.includes(name))
  return Object.fromEntries(own) as Tables & AnyTables
}
