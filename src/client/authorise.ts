import * as v from 'valibot'
import { parseAddress } from './address.ts'
import type { Target } from './target.ts'

/** Leave to test one host, given by a person, until a day and within caps. */
export type Authorisation = v.InferOutput<typeof entry>

/** Whether a target may be tested, and how hard; no caps where it is on loopback altogether. */
export type Permission =
  | { allowed: true; caps?: NonNullable<Target['caps']> }
  | { allowed: false; because: string }

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

/**
 * Whether a target may be tested at `now`, in milliseconds since the epoch. Loopback always may;
 * every other host needs an entry that names it and has not run out, and the tightest caps hold.
 */
export function authorise(
  target: Target,
  authorisations: readonly Authorisation[],
  now: number
): Permission {
  const found: Authorisation[] = []
  for (const { url } of Object.values(target.endpoints)) {
    const { hostname, port } = parseAddress(url)
    if (isLoopback(hostname)) continue
    const names = [hostname, `${hostname}:${port}`]
    const entries = authorisations.filter(({ host }) => names.includes(host.toLowerCase()))
    const valid = entries.find(({ until }) => now < Date.parse(until) + dayMs)
    if (!valid) return { allowed: false, because: objection(names[1]!, entries.at(-1)) }
    found.push(valid)
  }
  if (found.length === 0) return { allowed: true }
  const requestsPerSecond = Math.min(...found.map((one) => one.requestsPerSecond))
  const seconds = Math.min(...found.map((one) => one.seconds))
  return { allowed: true, caps: { requestsPerSecond, seconds } }
}

function objection(place: string, expired?: Authorisation): string {
  if (!expired) return `nobody has authorised tests of ${place}: only loopback is free to be tested`
  const { authorisedBy, until } = expired
  return `the authorisation of ${place} by ${authorisedBy} ended with ${until}`
}

/** Whether a host, as in a URL, is this machine: 127.0.0.0/8, ::1, localhost, *.localhost. */
function isLoopback(hostname: string): boolean {
  return /^(127(\.\d{1,3}){3}|\[::1\]|(.+\.)?localhost)$/.test(hostname)
}
