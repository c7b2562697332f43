import * as v from 'valibot'
import type { Caps } from '../caps.ts'
import { bare, isLoopback, type Route, type Routes } from '../route.ts'
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

const rules: Record<string, string> = {
  targets: 'a list of hosts that may be tested',
  host: 'a host name, or host:port, without scheme and path',
  authorisedBy: 'the name of who allows it',
  until: 'its last day, such as 2026-12-31',
  requestsPerSecond: 'a number above 0',
  seconds: 'a number above 0'
}

const text = (isRight: (value: string) => boolean) => v.pipe(v.string(), v.check(isRight))
const amount = v.pipe(v.number(), v.finite(), v.gtValue(0))
const entry = v.strictObject({
  /** One host, exactly; with a port where only that one is meant. */
  host: text((host) => /^[^\s/?#@]+$/.test(host) && URL.canParse(`http://${host}`)),
  authorisedBy: text((name) => name.trim() !== ''),
  /** The last day on which it holds, in UTC. */
  until: text((day) => /^\d{4}-\d\d-\d\d$/.test(day) && isDay(day)),
  requestsPerSecond: amount,
  /** How long one run may go on. */
  seconds: amount
})
const schema = v.strictObject({ targets: v.array(entry) })
const dayMs = 86_400_000

function isDay(day: string): boolean {
  const ms = Date.parse(day)
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day)
}

/** The entries of an authorisation file; throws an Error that names file, field and fix. */
export function parseAuthorisations(text: string, file: string): Authorisation[] {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw new Error(`${file} is not JSON: ${(cause as Error).message}`)
  }
  const result = v.safeParse(schema, json)
  if (result.success) return result.output.targets
  throw new Error(`${file}: ${complaint(result.issues[0])}`)
}

function complaint(issue: v.BaseIssue<unknown>): string {
  const path = v.getDotPath(issue)
  const rule = rules[path?.split('.').at(-1) ?? ''] ?? 'an object with the fields of an entry'
  if (path === null) return 'it must be an object with a list named "targets"'
  if (issue.type !== 'strict_object') return `${path} must be ${rule}`
  if (issue.expected === 'never') return `${path} is not a known field: remove it`
  return issue.received === 'undefined'
    ? `${path} is missing: add ${rule}`
    : `${path} must be ${rule}`
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
