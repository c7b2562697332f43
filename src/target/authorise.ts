import * as v from 'valibot'
import type { Caps } from '../caps.ts'
import { above0 } from '../number.ts'
import { bare, isLoopback, type Route, type Routes } from '../route.ts'
import { complaintBy, isDay, parseWritten } from '../written.ts'
import { parseAddress } from './address.ts'
import type { Target } from './target.ts'

/** Leave to test one host, given by a person, until a day and within caps. */
export type Authorisation = v.InferOutput<typeof entry>

/**
 * Whether a target may be tested, over which routes, and how hard; no caps where it is on loopback
 * altogether.
 */
export type Permission =
  | { allowed: true; routes: Routes; caps: Target['caps'] }
  | { allowed: false; because: string }

/** The memory that all who send by the entry of this host count in. */
export type MeterOf = (host: string) => SharedArrayBuffer

const rules = {
  targets: 'a list of hosts that may be tested',
  host: 'a host name, or host:port, without scheme and path',
  authorisedBy: 'the name of who allows it',
  until: 'its last day, such as 2026-12-31',
  requestsPerSecond: 'a number above 0',
  seconds: 'a number above 0'
}
const complaint = complaintBy(rules, 'it must be an object with a list named "targets"')

const text = (isRight: (value: string) => boolean, meaning: string) =>
  v.pipe(v.string(), v.check(isRight), v.description(meaning))
const entry = v.strictObject({
  host: text(
    (host) => /^[^\s/?#@]+$/.test(host) && URL.canParse(`http://${host}`),
    'One host, exactly; with a port where only that one is meant'
  ),
  authorisedBy: text((name) => name.trim() !== '', 'Who allows it'),
  until: text(isDay, 'The last day on which it holds, in UTC: 2026-12-31'),
  requestsPerSecond: v.pipe(above0, v.description('How many requests a second it may get')),
  seconds: v.pipe(above0, v.description('How long one run may go on'))
})
/** What an authorisation file has to look like. */
export const authorisationsSchema = v.strictObject({
  $schema: v.optional(v.string()),
  targets: v.array(entry)
})
const dayMs = 86_400_000

/** The entries of an authorisation file; throws an Error that names file, field and fix. */
export function parseAuthorisations(text: string, file: string): Authorisation[] {
  return parseWritten(authorisationsSchema, { text, file, complaint }).targets
}

/** Addresses by host, as hosts stand in a URL; none for a host that is not known. */
export type Addresses = Readonly<Record<string, readonly string[]>>

/** The hosts of a target's endpoints, each once, as they stand in their URLs. */
export function hostsOf({ endpoints }: Pick<Target, 'endpoints'>): string[] {
  return [...new Set(Object.values(endpoints).map(({ url }) => parseAddress(url).hostname))]
}

/**
 * Whether a target may be tested at `now`, in milliseconds since the epoch, given the addresses
 * that its hosts have. What leads to loopback always may, under whatever name; every other host
 * needs an entry that names it and has not run out, and is sent no more than that allows. Nothing
 * leads anywhere but to these addresses from then on.
 */
export function authorise(
  target: Target,
  known: { authorisations: readonly Authorisation[]; addresses: Addresses; meterOf: MeterOf },
  now: number
): Permission {
  const { authorisations, addresses, meterOf } = known
  const routes: Record<string, Route> = {}
  for (const { url } of Object.values(target.endpoints)) {
    const { origin, hostname, port } = parseAddress(url)
    const { [hostname]: found = [] } = addresses
    routes[origin] = { addresses: found }
    if (found.length > 0 && found.every(isLoopback)) continue
    const place = `${hostname}:${port}`
    const entries = authorisations.filter(({ host }) =>
      [hostname, place].includes(host.toLowerCase())
    )
    const valid = entries.find((entry) => now < endOf(entry))
    if (!valid) return { allowed: false, because: denial(place, found, entries.at(-1)) }
    const { host, requestsPerSecond, seconds } = valid
    const caps = { requestsPerSecond, seconds, untilMs: endOf(valid), meter: meterOf(host) }
    routes[origin] = { addresses: found, caps }
  }
  return { allowed: true, routes, caps: tightest(Object.values(routes)) }
}

/** The end of an entry's last day, in milliseconds since the epoch. */
const endOf = ({ until }: Authorisation) => Date.parse(until) + dayMs

/** The smallest of every cap there is; undefined where there is none. */
function tightest(routes: readonly Route[]): Target['caps'] {
  const all = routes.flatMap(({ caps }) => caps ?? [])
  if (all.length === 0) return
  const least = (of: (caps: Caps) => number) => Math.min(...all.map(of))
  return {
    requestsPerSecond: least((caps) => caps.requestsPerSecond),
    seconds: least((caps) => caps.seconds),
    untilMs: least((caps) => caps.untilMs)
  }
}

function denial(
  place: string,
  addresses: readonly string[],
  expired: Authorisation | undefined
): string {
  if (expired) {
    const { authorisedBy, until } = expired
    return `the authorisation of ${place} by ${authorisedBy} ended with ${until}`
  }
  const nobody = `nobody has authorised tests of ${place}`
  const hostname = bare(place.replace(/:\d+$/, ''))
  if (addresses.includes(hostname)) return `${nobody}: only loopback is free to be tested`
  const foreign = addresses.find((address) => !isLoopback(address))
  return foreign === undefined
    ? `${nobody}, and no address is known for it: only loopback is free to be tested`
    : `${nobody}, which is ${foreign}: only loopback is free to be tested`
}
