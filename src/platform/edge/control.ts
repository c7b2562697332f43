import { Hono } from 'hono'
import * as v from 'valibot'
import { checked } from '../kernel/api/body.ts'
import { bodyOf, type ControlEnv, zoneOf } from '../kernel/control-call.ts'
import type { Store } from '../kernel/store.ts'
import { cacheKey } from './cache.ts'
import type { Cache } from './cache-store.ts'

const purging = v.strictObject({ urls: v.optional(v.array(v.pipe(v.string(), v.url()))) })

/** What adapters can ask of the edge: to forget what is cached of a zone, or of some URLs. */
export function edgeControl({ store, cache }: { store: Store; cache: Cache }) {
  return new Hono<ControlEnv>().post('/zones/:zone/purge', async (c) => {
    const { urls } = checked(purging, await bodyOf(c))
    const { id } = zoneOf(c, store)
    if (urls === undefined) return c.json({ purged: await cache.purge(`zone ${id} `) })
    const keys = urls.map((url) => {
      const { hostname: host, pathname, search } = new URL(url)
      return cacheKey(id, { host, uri: pathname + search })
    })
    const forgotten = await Promise.all(keys.map(cache.forget))
    return c.json({ purged: forgotten.filter(Boolean).length })
  })
}
