// Limiters that are filled all the time, and servers that tell when all is back, or the next one.
import type { RequestListener } from 'node:http'

/** So many at once, and one more each so many ms. */
export type Refilled = { limit: number; everyMs: number }

type Decided = { isTaken: boolean; left: number; fullMs: number; nextMs: number }

/** A bucket of tokens. */
function bucket({ limit, everyMs }: Refilled): () => Decided {
  let [tokens, then] = [limit, performance.now()]
  return () => {
    const now = performance.now()
    tokens = Math.min(limit, tokens + (now - then) / everyMs)
    then = now
    const isTaken = tokens >= 1
    if (isTaken) tokens--
    const left = Math.floor(tokens)
    const nextMs = Math.max(0, 1 - tokens) * everyMs
    return { isTaken, left, fullMs: (limit - tokens) * everyMs, nextMs }
  }
}

/** The generic cell rate algorithm: the time at which all is back, a step later with each. */
function gcra({ limit, everyMs }: Refilled): () => Decided {
  let full = performance.now()
  return () => {
    const now = performance.now()
    const after = Math.max(full, now) + everyMs
    const isTaken = after - now <= limit * everyMs
    if (isTaken) full = after
    const fullMs = Math.max(0, full - now)
    const left = Math.floor(limit - fullMs / everyMs)
    return { isTaken, left, fullMs, nextMs: Math.max(0, fullMs + everyMs - limit * everyMs) }
  }
}

const whole = (ms: number) => String(Math.ceil(ms / 1_000))

function telling(
  { limit }: Refilled,
  decide: () => Decided,
  resetOf: (decided: Decided) => number
): RequestListener {
  return (_, response) => {
    const decided = decide()
    response.setHeader('X-RateLimit-Limit', limit)
    response.setHeader('X-RateLimit-Remaining', decided.left)
    response.setHeader('X-RateLimit-Reset', whole(resetOf(decided)))
    if (!decided.isTaken) response.setHeader('Retry-After', whole(decided.nextMs))
    response.writeHead(decided.isTaken ? 200 : 429).end(`{"ok":${decided.isTaken}}`)
  }
}

/** A bucket and a GCRA, each with both meanings of its reset, by name. */
export function refilling(size: Refilled): Record<string, RequestListener> {
  return {
    'bucket, reset when full': telling(size, bucket(size), ({ fullMs }) => fullMs),
    'bucket, reset at the next': telling(size, bucket(size), ({ nextMs }) => nextMs),
    'GCRA, reset when full': telling(size, gcra(size), ({ fullMs }) => fullMs),
    'GCRA, reset at the next': telling(size, gcra(size), ({ nextMs }) => nextMs)
  }
}
