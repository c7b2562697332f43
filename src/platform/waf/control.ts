import { Hono } from 'hono'
import * as v from 'valibot'
import { checked } from '../kernel/api/body.ts'
import { bodyOf, type ControlEnv, zoneOf } from '../kernel/control-call.ts'
import type { Store } from '../kernel/store.ts'
import type { Time } from '../kernel/time.ts'
import type { WafDecisions } from './decisions.ts'
import { stateOf } from './migration.ts'
import { seedFields, seedPrevious } from './seeding.ts'
import { changeWaf, readWaf } from './zone-waf.ts'

const given = v.strictObject({
  completionMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  isPartner: v.optional(v.boolean())
})

/** The adapter’s doors to the WAFs of zones: what the previous one is like, and its migration. */
export function wafControl(parts: { rules: WafDecisions; store: Store; time: Time }) {
  const { rules, store, time } = parts
  const app = new Hono<ControlEnv>()
  app.patch('/zones/:zone/previous-waf', async (c) => {
    const zone = zoneOf(c, store)
    seedPrevious(store, zone.id, checked(seedFields, await bodyOf(c)))
    return c.json(readWaf(store, zone.id).configuration)
  })
  app.get('/zones/:zone/waf-migration', (c) => {
    const { migration, completionMs, isPartner } = readWaf(store, zoneOf(c, store).id)
    const state = stateOf(rules.migration, migration, time.now())
    return c.json({ state, completionMs, isPartner })
  })
  app.patch('/zones/:zone/waf-migration', async (c) => {
    const zone = zoneOf(c, store)
    changeWaf(store, zone.id, checked(given, await bodyOf(c)))
    return c.json({})
  })
  return app
}
