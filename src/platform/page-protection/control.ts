import { Hono } from 'hono'
import * as v from 'valibot'
import { checked } from '../kernel/api/body.ts'
import { invalid } from '../kernel/api/failure.ts'
import { bodyOf, type ControlEnv, zoneOf } from '../kernel/control-call.ts'
import type { Store } from '../kernel/store.ts'
import type { Time } from '../kernel/time.ts'
import type { Zone } from '../kernel/zone.ts'
import { type Given, kinds } from './detection.ts'
import { withDefaults } from './detection-defaults.ts'
import { addDetection } from './detection-table.ts'
import { listThreats, threatList } from './monitor/threat.ts'
import { listViolations } from './monitor/violation.ts'

type Parts = { store: Store; time: Time }

const seededDetections = v.strictObject(
  Object.fromEntries(kinds.map(({ path, given }) => [path, v.optional(v.array(given), [])]))
)

/** What adapters can ask of page protection: detections, threats, and what was seen. */
export function pageProtectionControl({ store, time }: Parts) {
  const app = new Hono<ControlEnv>()
  app.post('/zones/:zone/detections', async (c) => {
    const zone = zoneOf(c, store)
    return c.json(seeded(zone, checked(seededDetections, await bodyOf(c)), { store, time }))
  })
  app.get('/zones/:zone/violations', (c) => c.json(listViolations(store, zoneOf(c, store).id)))
  app.put('/threats', async (c) => {
    listThreats(store, checked(threatList, await bodyOf(c)))
    return c.json({})
  })
  return app
}

/** Adds all detections or none, and returns their ids by kind. */
function seeded(zone: Zone, given: Record<string, Given[]>, { store, time }: Parts) {
  const sighting = { host: zone.host, now: time.now() }
  return store.transaction(() =>
    Object.fromEntries(
      kinds.map(({ name, path }) => [
        path,
        given[path]!.map((fields, index) => {
          const record = withDefaults[name](fields, sighting)
          if (addDetection(store, { zone: zone.id, kind: name }, record)) return record.id
          throw invalid(`${path}.${index}.id: the zone has one with this id`)
        })
      ])
    )
  )
}
