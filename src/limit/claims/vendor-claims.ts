import { type Claimed, type Claims, fieldName, noClaims, shortText } from './claims.ts'
import { durationIn, timeIn } from './told-time.ts'

type What = 'limit' | 'remaining' | 'used' | 'reset'

/** What one limit is told to be, what it counts, and its window where its name says so. */
type Limit = { of: string; windowMs?: number | undefined } & Record<What, Claimed[]>

/** Names of those whose numbers mean requests; those of others may mean anything. */
const names = /^(?:x-|anthropic-)?rate-?limits?(?:-(.+))?$/

const whats = new Map<string, What>([
  ['limit', 'limit'],
  ['remaining', 'remaining'],
  ['left', 'remaining'],
  ['quota', 'limit'],
  ['used', 'used'],
  ['observed', 'used'],
  ['reset', 'reset'],
  ['resettime', 'reset']
])

const dayMs = 86_400_000
const windows = new Map([
  ['second', 1_000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', dayMs],
  ['month', 30 * dayMs],
  ['year', 365 * dayMs]
])

/** What part of another limit may be left where that refuses all the same. */
const leftPart = 0.1

const another = 'another limit is nearer'

/**
 * What is claimed by the names that vendors use: `X-RateLimit-*` and their like, with what is
 * counted (`-Requests`, `-Tokens`) or a window (`-Minute`) in the name, times with units (`6m0s`)
 * and as dates, how many were used, and both as `32/40` (`X-Shopify-Shop-Api-Call-Limit`). Of more
 * than one limit the one that is nearest to refuse is what an answer is held against.
 */
export function vendorClaims(headers: Readonly<Record<string, string>>, serverMs: number): Claims {
  const limits = new Map<string, Limit>()
  for (const [name, text] of Object.entries(headers)) {
    for (const { what, of, windowMs, ...claimed } of toldBy(name, text, serverMs)) {
      const key = `${of} ${windowMs}`
      const none: Limit = { of, windowMs, limit: [], remaining: [], used: [], reset: [] }
      const own = limits.get(key) ?? none
      own[what].push(claimed)
      limits.set(key, own)
    }
  }
  for (const one of limits.values()) one.remaining.push(...leftOf(one))
  return claimsOfNearest([...limits.values()])
}

type Told = Claimed & { what: What } & Pick<Limit, 'of' | 'windowMs'>

function toldBy(name: string, text: string, serverMs: number): Told[] {
  const field = fieldName(name)
  const [, used, most] = /^\s*(\d+)\s*\/\s*(\d+)\s*$/.exec(text) ?? []
  if (most !== undefined && name.endsWith('call-limit')) {
    const told = { of: '', windowMs: undefined, field, text: text.trim() }
    return [
      { ...told, what: 'limit', value: Number(most) },
      { ...told, what: 'used', value: Number(used) }
    ]
  }
  const [isNamed, rest = 'limit'] = names.exec(name) ?? []
  if (isNamed === undefined || /^(?:rate-?limit|ratelimit-policy)$/.test(name)) return []
  const words = rest.split('-')
  const what = words.map((word) => whats.get(word)).find((one) => one !== undefined)
  if (what === undefined) return []
  const windowMs = words.map((word) => windows.get(word)).find((ms) => ms !== undefined)
  const others = words.filter((word) => !whats.has(word) && !windows.has(word))
  const of = others.filter((word) => !(what === 'reset' && ofTime.has(word))).join('-')
  const told = { what, of: of.replace(/^requests?$/, ''), windowMs }
  const claimed = what === 'reset' ? resetIn(name, text, serverMs) : countIn(field, text)
  return claimed.map((one) => ({ ...told, ...one }))
}

/** Words in the name of a time that do not say of what it is. */
const ofTime = new Set(['after', 'time', 'ms'])

/**
 * When all is back: a name may say that it is in ms. Vendors' numbers are seconds or ms, which only
 * answers tell; those of the IETF's drafts are seconds.
 */
function resetIn(name: string, text: string, serverMs: number): Claimed[] {
  const field = fieldName(name)
  if (name.endsWith('-ms')) return durationIn(field, `${text.trim()}ms`)
  const [time] = timeIn(field, text, serverMs)
  if (!time) return durationIn(field, text)
  const isBare = name.startsWith('x-') && time.value === 1_000 * Number(text)
  return [{ ...time, ...(isBare && { isBare }) }]
}

/** A number of requests, before what is said beside it; -1 stands for none. */
function countIn(field: string, text: string): Claimed[] {
  const number = /^\s*-?\d+(\.\d+)?(?=[\s,;]|$)/.exec(text)?.[0]
  if (number === undefined) return []
  return [{ field, value: Number(number), text: shortText(text) }]
}

/** What is left by how many are told to be used. */
function leftOf({ limit: [limit], used }: Limit): Claimed[] {
  if (!limit) return []
  return used.map(({ field, value, text }) => {
    const told = field === limit.field ? text : `${text} of ${limit.value} used`
    return { field, value: Math.max(0, limit.value - value), text: told }
  })
}

function share({ limit: [limit], remaining: [left] }: Limit): number {
  return limit && left && limit.value > 0 ? left.value / limit.value : 1
}

function claimsOfNearest(limits: readonly Limit[]): Claims {
  const claims = noClaims()
  const asked = limits.filter(({ of }) => of === '')
  const own = asked.find(({ windowMs }) => windowMs === undefined)
  const nearest = own ?? asked.toSorted((one, other) => share(one) - share(other))[0]
  const isHeld = nearest !== undefined && !isBehind(nearest, limits)
  const others = limits.filter((one) => one !== nearest)
  for (const one of nearest ? [nearest, ...others] : others) {
    if (isHeld && (one === nearest || isSame(one, nearest))) put(one, claims)
    else if (isHeld && !own && one.of === '') putApart(one, claims)
    else {
      const because = one.of === '' ? another : `of ${one.of}, not of requests`
      claims.unread.push(...unreadOf(one, because))
    }
  }
  return claims
}

/** Whether both are the same limit, of which only one name has its window. */
function isSame(one: Limit, other: Limit): boolean {
  const isUnnamed = (limit: Limit) => limit.windowMs === undefined
  return (
    one.of === other.of &&
    isUnnamed(one) !== isUnnamed(other) &&
    one.limit[0]?.value === other.limit[0]?.value &&
    one.remaining[0]?.value === other.remaining[0]?.value
  )
}

/** Whether another limit may have refused before this one. */
function isBehind(one: Limit, limits: readonly Limit[]): boolean {
  const isLeft = (one.remaining[0]?.value ?? 0) > 0
  return limits.some((other) => {
    if (other === one || isSame(other, one)) return false
    // Of two windows that are told alike the one that is nearer is taken.
    const isLow = share(other) <= leftPart && isLeft
    return share(other) < share(one) || (isLow && (other.of !== '' || one.windowMs === undefined))
  })
}

function put(one: Limit, claims: Claims): void {
  const { limit, windowMs, remaining, reset } = one
  // Some say -1 where there is no limit.
  if ([...limit, ...remaining].some(({ value }) => value < 0) && !limit.some(isSome)) {
    claims.unread.push(...unreadOf(one, 'no number of requests'))
    return
  }
  claims.limit.push(...limit)
  if (windowMs !== undefined) claims.windowMs.push(...limit.map(ofValue(windowMs)))
  claims.remaining.push(...remaining)
  claims.resetMs.push(...reset)
  if (limit.length > 0) return
  const because = 'of how many is not told'
  claims.unread.push(...unreadOf({ ...one, remaining: [], reset: [] }, because))
}

const isSome = ({ value }: Claimed) => value >= 0

const ofValue = (value: number) => (claimed: Claimed) => ({ ...claimed, value })

function putApart(one: Limit, claims: Claims): void {
  const { limit, windowMs } = one
  claims.apart.push(...limit)
  if (windowMs !== undefined) claims.apartWindowMs.push(...limit.map(ofValue(windowMs)))
  claims.unread.push(...unreadOf({ ...one, limit: [] }, another))
}

function unreadOf({ limit, remaining, used, reset }: Limit, why: string): Claims['unread'] {
  const fields = [...limit, ...remaining, ...used, ...reset]
  return fields.map(({ field, text }) => ({ field, because: `${shortText(text)}; ${why}` }))
}
