import { Hono } from 'hono'
import { type ControlEnv, zoneOf } from '../kernel/control-call.ts'
import type { Store } from '../kernel/store.ts'
import type { Logpush } from './logs.ts'

/** What adapters can ask of log push: to deliver what has been logged without waiting. */
export function logpushControl({ store, logs }: { store: Store; logs: Logpush }) {
  return new Hono<ControlEnv>().post('/zones/:zone/logpush/deliver', async (c) => {
    await logs.deliver(zoneOf(c, store).id)
    return c.json({})
  })
}
