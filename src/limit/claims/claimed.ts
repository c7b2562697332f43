import type { Reply } from '../../client/reply.ts'
import { type ListMember, structuredList } from './structured-list.ts'

/** A number that an answer claims, the field that says so, and the text it has there. */
export type Claimed = { field: string; value: number; text: string }

/** What the headers of one answer claim about how often one may ask, each as often as it does. */
export type Claims = {
  /** How many are allowed, and in how many ms. */
  limit: Claimed[]
  windowMs: Claimed[]
  /** How many are left. */
  remaining: Claimed[]
  /** In how many ms from the answer on all are back. */
  resetMs: Claimed[]
  /** How many ms to wait for, from the answer on. */
  retryMs: Claimed[]
  /** How many the other policies allow, where there is more than one, and in how many ms. */
  apart: Claimed[]
  apartWindowMs: Claimed[]
}

/** What is above is a time since the epoch in seconds, or in milliseconds. */
const epochSeconds = 1e9
const epochMs = 1e11

/**
 * What an answer claims, in the forms of draft-ietf-httpapi-ratelimit-headers (`RateLimit`,
 * `RateLimit-Policy`, and the three fields of its older versions), `X-RateLimit-*` and their like,
 * and `Retry-After`. Times of day are told by the answer's own `Date`.
 */
export function claimsOf({ headers }: Pick<Reply, 'headers'>, nowMs: number): Claims {
  const dated = Date.parse(headers.date ?? '')
  const serverMs = Number.isNaN(dated) ? nowMs : dated
  const claims: Claims = {
    limit: [],
    windowMs: [],
    remaining: [],
    resetMs: [],
    retryMs: [],
    apart: [],
    apartWindowMs: []
  }
  const put = (name: keyof Claims, field: string, text = '', factor = 1) => {
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
    const isAsked = one === policy
    put(isAsked ? 'limit' : 'apart', own, one.params.q ?? one.value)
    put(isAsked ? 'windowMs' : 'apartWindowMs', own, one.params.w, 1_000)
  }
  for (const [name, text] of Object.entries(headers)) {
    const what = /^(?:x-)?rate-?limit-(limit|remaining|reset)(?:-requests)?$/.exec(name)?.[1]
    const field = name.replaceAll(/(^|-)[a-z]/g, (start) => start.toUpperCase())
    if (what === 'limit') put('limit', field, text)
    if (what === 'remaining') put('remaining', field, text)
    if (what === 'reset') claims.resetMs.push(...timeIn(field, text, serverMs))
  }
  const retry = headers['retry-after']
  if (retry !== undefined) claims.retryMs.push(...timeIn('Retry-After', retry, serverMs))
  return claims
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

/** A time that is told in seconds from now, in seconds or ms since the epoch, or as a date. */
function timeIn(field: string, text: string, serverMs: number): Claimed[] {
  const number = /^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined
  if (number === undefined) {
    // Of words with a number in them a lenient parser makes a day as well.
    const date = /\d:\d\d/.test(text) ? Date.parse(text) : Number.NaN
    return Number.isNaN(date) ? [] : [{ field, value: date - serverMs, text }]
  }
  if (number > epochMs) return [{ field, value: number - serverMs, text }]
  if (number > epochSeconds) return [{ field, value: 1_000 * number - serverMs, text }]
  return [{ field, value: 1_000 * number, text }]
}
