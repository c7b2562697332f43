import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import { bytesOf, checked, members } from '../kernel/api/body.ts'
import type { Store } from '../kernel/store.ts'
import type { Time } from '../kernel/time.ts'
import type { Zone } from '../kernel/zone.ts'
import { stateOf } from './migration.ts'
import { seedFields, seedPrevious } from './seeding.ts'
import type { WafRules } from './waf-rules.ts'
import { changeWaf, readWaf } from './zone-waf.ts'

type Called = Context<{ Bindings: HttpBindings }>

const given = v.strictObject({
  completionMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  isPartner: v.optional(v.boolean())
})

/** The adapter’s doors to the WAFs of zones: what the previous one is like, and its migration. */
export function wafRoutes(parts: {
  rules: WafRules
  store: Store
  time: Time
  zoneOf: (c: Called) => Zone
}) {
  const { rules, store, time, zoneOf } = parts
  const app = new Hono<{ Bindings: HttpBindings }>()
  const body = async ({ env }: Called) => members(await bytesOf(env.incoming, Infinity))
  app.patch('/zones/:zone/previous-waf', async (c) => {
    const zone = zoneOf(c)
    seedPrevious(store, zone.id, checked(seedFields, await body(c)))
    return c.json(readWaf(store, zone.id).configuration)
  })
  app.get('/zones/:zone/waf-migration', (c) => {
    const { migration, completionMs, isPartner } = readWaf(store, zoneOf(c).id)
    const state = stateOf(rules.migration, migration, time.now())
    return c.json({ state, completionMs, isPartner })
  })
  app.patch('/zones/:zone/waf-migration', async (c) => {
    const zone = zoneOf(c)
    changeWaf(store, zone.id, checked(given, await body(c)))
    return c.json({})
  })
  return app
}
