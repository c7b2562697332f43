import type { Reply } from '../../client/reply.ts'
import {
  type ClaimKind,
  type Claims,
  fieldName,
  noClaims,
  type PolicyLeft,
  shortText
} from './claims.ts'
import { type ListMember, structuredList } from './structured-list.ts'
import { durationIn, timeIn } from './told-time.ts'
import { vendorClaims } from './vendor-claims.ts'

/**
 * What an answer claims, in the forms of draft-ietf-httpapi-ratelimit-headers (`RateLimit`,
 * `RateLimit-Policy`, and the three fields of its older versions), `X-RateLimit-*` and their like,
 * and `Retry-After`. Times of day are told by the answer's own `Date`.
 */
export function claimsOf({ headers }: Pick<Reply, 'headers'>, nowMs: number): Claims {
  const dated = Date.parse(headers.date ?? '')
  const serverMs = Number.isNaN(dated) ? nowMs : dated
  const claims = noClaims()
  const put = (name: ClaimKind, field: string, text = '', factor = 1) => {
    const number = /^\s*-?\d+(\.\d+)?/.exec(text)?.[0]
    if (number === undefined) return
    claims[name].push({ field, value: Number(number) * factor, text: text.trim() })
  }
  const policies = listIn(headers['ratelimit-policy'])
  const states = statesOf(headers.ratelimit)
  const [state] = states
  const named = state?.params.limit ?? state?.value
  const policy = policies.find(({ value }) => value === named) ?? policies[0]
  put('remaining', 'RateLimit', state?.params.r ?? state?.params.remaining)
  put('resetMs', 'RateLimit', latestReset(states, policies), 1_000)
  for (const one of policies) {
    const field = 'RateLimit-Policy'
    const own = policies.length > 1 ? `${field} ${JSON.stringify(one.value)}` : field
    if (policies.length > 1) claims.left.push(...leftOf(one, own, states))
    const isAsked = one === policy
    put(isAsked ? 'limit' : 'apart', own, one.params.q ?? one.value)
    put(isAsked ? 'windowMs' : 'apartWindowMs', own, one.params.w, 1_000)
  }
  const vendors = vendorClaims(headers, serverMs)
  for (const kind of Object.keys(claims) as (keyof Claims)[]) {
    claims[kind].push(...(vendors[kind] as never[]))
  }
  for (const [name, text] of Object.entries(headers)) {
    const [isWait, inMs] = waits.exec(name) ?? []
    if (isWait) claimWait(fieldName(name), text, claims, { serverMs, isInMs: inMs !== undefined })
  }
  claims.unread.push(...passedOver(headers, claims))
  return claims
}

/** `Retry-After`, and those of vendors that say the same, some of them in ms. */
const waits = /^(?:x-)?(?:ms-|rate-?limit-)?retry-after(-ms)?$/

/** What looks as if it were about limits. */
const looks = /rate-?limit|call-limit|quota|throttl|retry-after/

/** Fields that look as if they were about limits, and of which nothing was read. */
function passedOver(headers: Reply['headers'], claims: Claims): Claims['unread'] {
  const all = Object.values(claims).flatMap((some) => some.map(({ field }) => field))
  const read = all.map((field) => field.split(' ')[0]!.toLowerCase())
  return Object.entries(headers).flatMap(([name, text]) => {
    if (!looks.test(name) || read.includes(name)) return []
    const told = name.replace(/^ratelimit(?=$|-policy$)/, 'RateLimit')
    const field = told === name ? fieldName(name) : told.replace('-p', '-P')
    return [{ field, because: `${shortText(text)}; no form known here` }]
  })
}

/**
 * The wait of `Retry-After`, which is one number of seconds or one date (RFC 9110, 10.2.3), or of
 * `Retry-After-Ms`, which is a number of ms.
 */
function claimWait(
  field: string,
  text: string,
  { retryMs, unread }: Claims,
  { serverMs, isInMs }: { serverMs: number; isInMs: boolean }
): void {
  // A date has a comma in it, and so has what two lines say.
  const told = text.split(/(?<!\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*)\s*,\s*/)
  const [one, ...others] = new Set(told)
  const isOne = others.length === 0
  const read = isInMs ? durationIn(field, `${one}ms`) : timeIn(field, one!, serverMs)
  const why = isOne
    ? isInMs
      ? 'no number of ms'
      : 'neither seconds nor a date'
    : 'waits that differ'
  if (isOne && read.length > 0) return void retryMs.push(...read.map((wait) => ({ ...wait, text })))
  unread.push({ field, because: `${shortText(text)}; ${why}`, isFalse: true })
}

/**
 * What is left of each policy, first that which is nearest to refuse, and of those that refuse that
 * which does for longest. Version 7 of the draft has a dictionary with what is left of one.
 */
function statesOf(text: string | undefined): ListMember[] {
  const isDictionary = /^\s*(?:limit|remaining|reset)\s*=/.test(text ?? '')
  const pairs = (text ?? '').matchAll(/\b(limit|remaining|reset)\s*=\s*(\d+)/g)
  const params = Object.fromEntries([...pairs].map(([, name, value]) => [name, value]))
  if (isDictionary) return [{ value: '', params }]
  const number = (said: string | undefined) => Number(said ?? Number.NaN)
  return listIn(text).toSorted(({ params: one }, { params: other }) => {
    return number(one.r) - number(other.r) || number(other.t) - number(one.t) || 0
  })
}

/** What is left of a policy, where that is told. */
function leftOf({ value }: ListMember, field: string, states: readonly ListMember[]): PolicyLeft[] {
  const { r, t } = states.find((one) => one.value === value)?.params ?? {}
  if (r === undefined || Number.isNaN(Number(r))) return []
  const resetMs = 1_000 * Number(t ?? Number.NaN)
  const text = `${JSON.stringify(value)};r=${r}`
  return [{ field, value: Number(r), text, ...(Number.isFinite(resetMs) && { resetMs }) }]
}

/** What part of a policy may be left where it refuses all the same, as a request takes more. */
const leftPart = 0.1

/** When the last of those policies is back that may refuse; one of them is nearest to it. */
function latestReset(states: readonly ListMember[], policies: readonly ListMember[]) {
  const times = states.flatMap(({ value, params: { r, t, reset } }, nth) => {
    const most = policies.find((one) => one.value === value)?.params.q
    const isUsed = nth === 0 || Number(r) <= leftPart * Number(most)
    return (isUsed && (t ?? reset)) || []
  })
  return times.toSorted((one, other) => Number(other) - Number(one))[0]
}

function listIn(text: string | undefined): ListMember[] {
  return (text !== undefined && structuredList(text)) || []
}
