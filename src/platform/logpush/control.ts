import { Hono } from 'hono'
import { unknownObject } from '../kernel/api/failure.ts'
import type { Store } from '../kernel/store.ts'
import { zoneById } from '../kernel/zone.ts'
import type { Logpush } from './logs.ts'

/** What adapters can ask of log push: to deliver what has been logged without waiting. */
export function logpushControl({ store, logs }: { store: Store; logs: Logpush }) {
  return new Hono().post('/zones/:zone/logpush/deliver', async (c) => {
    const zone = zoneById(store, c.req.param('zone'))
    if (zone === undefined) throw unknownObject(c.req.path)
    await logs.deliver(zone.id)
    return c.json({})
  })
}
