import { Readable } from 'node:stream'
import { whole } from '../kernel/data/files.ts'
import type { Zone } from '../kernel/zone.ts'
import { lifetimeMs } from './cache-freshness.ts'
import type { Cache } from './cache-store.ts'
import type { EdgeLimits } from './limits.ts'
import type { EdgeRequest } from './request.ts'
import { type Header, type Served, valuesOf } from './served.ts'

/**
 * Says on answers to GET and HEAD what the cache did: `HIT`, the answer is from there; `MISS`, it
 * will be there if it turns out not to be too large; `BYPASS`, it will not.
 */
export const cacheHeader = 'X-Cache-Status'

/** Statuses of whole answers that are worth keeping. */
const kept = [200, 203, 204, 300, 301, 404, 410]

/** Asks the server behind a zone. */
export type Ask = () => Promise<Served>

/** Answers a request out of the cache, or asks and keeps what may be kept. */
export type Front = (zone: Zone, request: EdgeRequest, ask: Ask) => Promise<Served>

/** Which key a zone's answer to a request is cached under; all keys of a zone begin alike. */
export function cacheKey(zoneId: string, { host, uri }: { host: string; uri: string }): string {
  return `zone ${zoneId} ${host}${uri}`
}

/**
 * A cache in front of the servers of zones. What says that shared caches may keep it is kept, up to
 * the size that the zone's plan allows; larger files are delivered all the same.
 */
export function cacheFront({
  cache,
  limits,
  now
}: {
  cache: Cache
  limits: Pick<EdgeLimits, 'cachedFileBytes'>
  now: () => number
}): Front {
  return async (zone, request, ask) => {
    const { method, headers } = request
    if (method !== 'GET' && method !== 'HEAD') return ask()
    if (valuesOf(headers, 'authorization').length > 0) return marked(await ask(), 'BYPASS')
    const key = cacheKey(zone.id, request)
    const hit = await cache.match(key, headers)
    if (hit) {
      const age: Header = ['Age', String(hit.ageSeconds)]
      const body = readable(hit.body)
      // Nobody reads the body of an answer to HEAD, and its file is open.
      if (method === 'HEAD') body.destroy()
      const served = { status: hit.status, headers: [...hit.headers, age] }
      return marked({ ...served, body: method === 'HEAD' ? '' : body }, 'HIT')
    }
    const served = await ask()
    const forMs = lifetimeMs(served.headers, now())
    const limitBytes = limits.cachedFileBytes[zone.plan]
    const [declaredBytes] = valuesOf(served.headers, 'content-length').map(Number)
    const isKept = method === 'GET' && kept.includes(served.status) && forMs > 0
    if (!isKept || (declaredBytes ?? 0) > limitBytes) return marked(served, 'BYPASS')
    const body = typeof served.body === 'string' ? whole(Buffer.from(served.body)) : served.body
    const about = { key, request: headers, lifetimeMs: forMs, limitBytes, declaredBytes }
    const passing = cache.keeping(body, { ...served, ...about })
    return marked({ ...served, body: readable(passing) }, 'MISS')
  }
}

function marked(served: Served, status: 'HIT' | 'MISS' | 'BYPASS'): Served {
  return { ...served, headers: [...served.headers, [cacheHeader, status]] }
}

function readable(bytes: AsyncIterable<Uint8Array>): Readable {
  return bytes instanceof Readable ? bytes : Readable.from(bytes, { objectMode: false })
}
