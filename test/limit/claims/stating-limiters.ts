// Limiters that say of themselves what headers tell of them, and servers that put it into headers.
import type { RawRequest } from '../../../src/client/client.ts'
import type { Clock } from '../../../src/clock.ts'
import type { Random } from '../../../src/random.ts'
import { reply } from '../replies.ts'

/** What a limiter decides, how many are left, and in how many ms all and the next are back. */
export type Stated = {
  isTaken: boolean
  limit: number
  windowMs: number
  left: number
  resetMs: number
  backMs: number
}

/** Decides on a request of so much at a time that never steps back. */
export type Stating = (now: number) => Stated

export type Size = { limit: number; windowMs: number; cost?: number }

/** A window from the first request on, or by the clock. */
export function window({ limit, windowMs, cost = 1 }: Size, isClock = false): Stating {
  let [start, used] = [Number.NEGATIVE_INFINITY, 0]
  return (now) => {
    const begin = isClock ? windowMs * Math.floor(now / windowMs) : now
    if (isClock ? begin !== start : now >= start + windowMs) [start, used] = [begin, 0]
    const isTaken = used + cost <= limit
    if (isTaken) used += cost
    const resetMs = start + windowMs - now
    return { isTaken, limit, windowMs, left: limit - used, resetMs, backMs: resetMs }
  }
}

/** A sliding log, which may remember what it refused as well. */
export function log({ limit, windowMs }: Size, countsRefused = false): Stating {
  let times: number[] = []
  return (now) => {
    times = times.filter((time) => time > now - windowMs)
    const isTaken = times.length < limit
    if (isTaken || countsRefused) times.push(now)
    const [left, last] = [Math.max(0, limit - times.length), times.at(-1) ?? now]
    const oldest = times.at(-limit) ?? now
    const resetMs = last + windowMs - now
    return {
      isTaken,
      limit,
      windowMs,
      left,
      resetMs,
      backMs: left > 0 ? 0 : oldest + windowMs - now
    }
  }
}

/** A bucket that is filled in a window. */
export function bucket({ limit, windowMs }: Size): Stating {
  let [tokens, then] = [limit, Number.NEGATIVE_INFINITY]
  const everyMs = windowMs / limit
  return (now) => {
    tokens = Math.min(limit, tokens + (now - then) / everyMs)
    then = now
    const isTaken = tokens >= 1
    if (isTaken) tokens--
    const [resetMs, backMs] = [(limit - tokens) * everyMs, Math.max(0, 1 - tokens) * everyMs]
    return { isTaken, limit, windowMs, left: Math.floor(tokens), resetMs, backMs }
  }
}

/** A window, and a ban from the first refusal on, which is what its refusals tell. */
export function banned({ limit, windowMs }: Size): Stating {
  let decide = window({ limit, windowMs })
  let until = Number.NEGATIVE_INFINITY
  return (now) => {
    const banMs = 2 * windowMs
    const isBanned = now < until
    const stated = isBanned ? undefined : decide(now)
    if (stated?.isTaken) return stated
    if (!isBanned) [until, decide] = [now + banMs, window({ limit, windowMs })]
    const resetMs = until - now
    return { isTaken: false, limit, windowMs, left: 0, resetMs, backMs: resetMs }
  }
}

type Headers = Record<string, string>

const whole = (ms: number) => Math.max(0, Math.ceil(ms / 1_000))

/** The forms in which services tell their limits. */
export const forms: Record<string, (stated: Stated, now: number) => Headers> = {
  none: () => ({}),
  draft11: ({ limit, windowMs, left, resetMs }) => ({
    'ratelimit-policy': `"default";q=${limit};w=${windowMs / 1_000}`,
    ratelimit: `"default";r=${left};t=${whole(resetMs)}`
  }),
  draft7: ({ limit, windowMs, left, resetMs }) => ({
    'ratelimit-policy': `${limit};w=${windowMs / 1_000}`,
    ratelimit: `limit=${limit}, remaining=${left}, reset=${whole(resetMs)}`
  }),
  draft3: ({ limit, left, resetMs }) => ({
    'ratelimit-limit': `${limit}`,
    'ratelimit-remaining': `${left}`,
    'ratelimit-reset': `${whole(resetMs)}`
  }),
  seconds: (stated) => ours(stated, String(whole(stated.resetMs))),
  back: (stated) => ours(stated, String(whole(stated.backMs))),
  epoch: (stated, now) => ours(stated, String(whole(now + stated.resetMs))),
  floored: (stated, now) => ours(stated, String(Math.floor((now + stated.resetMs) / 1_000))),
  left: (stated) => ours(stated, String(Math.max(0, Math.ceil(stated.resetMs)))),
  milliseconds: (stated, now) => ours(stated, String(Math.ceil(now + stated.resetMs))),
  iso: (stated, now) => {
    return ours(stated, new Date(1_000 * whole(now + stated.resetMs)).toISOString())
  },
  fraction: (stated, now) => ({
    ...ours(stated, ((now + stated.resetMs) / 1_000).toFixed(3)),
    'x-ratelimit-reset-after': (stated.resetMs / 1_000).toFixed(3)
  }),
  used: ({ limit, left, resetMs }, now) => ({
    'x-ratelimit-limit': `${limit}`,
    'x-ratelimit-used': `${limit - left}`,
    'x-ratelimit-reset': `${whole(now + resetMs)}`
  }),
  duration: ({ limit, left, resetMs }) => ({
    'x-ratelimit-limit-requests': `${limit}`,
    'x-ratelimit-limit-tokens': '150000',
    'x-ratelimit-remaining-requests': `${left}`,
    'x-ratelimit-remaining-tokens': '149984',
    'x-ratelimit-reset-requests': duration(resetMs),
    'x-ratelimit-reset-tokens': '6ms'
  }),
  made: ({ limit, left, resetMs }, now) => ({
    'anthropic-ratelimit-requests-limit': `${limit}`,
    'anthropic-ratelimit-requests-remaining': `${left}`,
    'anthropic-ratelimit-requests-reset': new Date(1_000 * whole(now + resetMs)).toISOString()
  }),
  ratio: ({ limit, left }) => ({ 'x-shopify-shop-api-call-limit': `${limit - left}/${limit}` })
}

/** A time as Go writes it. */
function duration(ms: number): string {
  if (ms < 1_000) return `${Math.ceil(ms)}ms`
  const minutes = Math.floor(ms / 60_000)
  return `${minutes > 0 ? `${minutes}m` : ''}${((ms % 60_000) / 1_000).toFixed(3)}s`
}

function ours({ limit, left }: Stated, reset: string): Headers {
  return {
    'x-ratelimit-limit': `${limit}`,
    'x-ratelimit-remaining': `${left}`,
    'x-ratelimit-reset': reset
  }
}

/** The forms in which services tell for how long to wait. */
export const waits: Record<string, (stated: Stated, now: number) => Headers> = {
  none: () => ({}),
  seconds: ({ backMs }) => ({ 'retry-after': String(whole(backMs)) }),
  longer: ({ backMs }) => ({ 'retry-after': String(whole(backMs) + 2) }),
  date: ({ backMs }, now) => ({
    'retry-after': new Date(1_000 * whole(now + backMs)).toUTCString()
  }),
  // Which has no part of a second.
  'floored date': ({ backMs }, now) => ({ 'retry-after': new Date(now + backMs).toUTCString() })
}

/** A server of a limiter: what it says, and how long its answers take. */
export type Served = {
  decide: Stating
  clock: Clock
  next: Random
  form: string
  wait: string
  /** Answers take up to so many ms, of which a part passes before it is counted. */
  slowMs: number
  /** The `Date` is made once a second, so long after that began. */
  dateMs?: number
  /** What a lie changes. */
  lie?: ((headers: Headers, stated: Stated) => void) | undefined
}

/** When the server's clock begins, in the middle of a second. */
const epochMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678)

/** One question of a server. */
export function served({ decide, clock, next, form, wait, slowMs, dateMs = 0, lie }: Served) {
  return async ({ beforeLastByte }: Partial<RawRequest> = {}) => {
    await beforeLastByte?.()
    await clock.until(clock.now() + 0.2 + 0.7 * slowMs * next())
    const now = epochMs + clock.now()
    const stated = decide(now)
    const { isTaken } = stated
    const headers = {
      date: new Date(now - dateMs).toUTCString(),
      ...forms[form]!(stated, now),
      ...(isTaken ? {} : waits[wait]!(stated, now))
    }
    lie?.(headers, stated)
    await clock.until(clock.now() + 0.2 + 0.3 * slowMs * next())
    return reply(isTaken ? 200 : 429, { headers, json: isTaken ? { ok: true } : {} })
  }
}
