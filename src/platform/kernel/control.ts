import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import * as v from 'valibot'
import { isOrigin } from '../edge/origin.ts'
import { functionControl } from '../functions/control.ts'
import type { Functions } from '../functions/functions.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { logpushControl } from '../logpush/control.ts'
import type { Logpush } from '../logpush/logs.ts'
import { ownAccount } from '../management/identity.ts'
import { mutants } from '../mutants.ts'
import { type Given, kinds } from '../page-protection/detection.ts'
import { withDefaults } from '../page-protection/detection-defaults.ts'
import { addDetection } from '../page-protection/detection-table.ts'
import { listThreats, threatList } from '../page-protection/monitor/threat.ts'
import { listViolations } from '../page-protection/monitor/violation.ts'
import { firstSettings } from '../page-protection/settings.ts'
import type { Rules } from '../rules.ts'
import { wafRoutes } from '../waf/control-routes.ts'
import { bytesOf, checked, members } from './api/body.ts'
import { Failure, invalid, unknownObject, unknownRoute } from './api/failure.ts'
import { figures } from './figures.ts'
import type { Service } from './http/listener.ts'
import { newId } from './id.ts'
import { plans } from './plan.ts'
import { listSecurityEvents } from './security-event.ts'
import { hostOf, reset } from './seed.ts'
import type { Store } from './store.ts'
import type { Time } from './time.ts'
import { addZone, allZones, changeZone, type Zone, zoneById } from './zone.ts'

type Called = Context<{ Bindings: HttpBindings }>
type Parts = { rules: Rules; store: Store; time: Time }
type AllParts = Parts & { logs: Logpush; functions: Functions; gateway: Gateway }

const plan = v.picklist(plans, `must be one of ${plans.join(', ')}`)
const hostName = v.pipe(
  v.string(),
  v.regex(/^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]+$/, 'must be a host name')
)
const origin = v.nullable(
  v.pipe(v.string(), v.check(isOrigin, 'must be an http: or https: address, or a data: URL'))
)
const freshZone = v.strictObject({
  plan,
  origin: v.optional(origin),
  host: v.optional(hostName),
  account: v.optional(v.string(), ownAccount)
})
const changedZone = v.strictObject({ plan: v.optional(plan), origin: v.optional(origin) })
const movedClock = v.strictObject({
  forwardMs: v.pipe(v.number(), v.integer(), v.minValue(0, 'the clock never goes back'))
})
const seededDetections = v.strictObject(
  Object.fromEntries(kinds.map(({ path, given }) => [path, v.optional(v.array(given), [])]))
)

/** The last moment a timestamp of the document can name. */
const endOfTime = Date.UTC(9999, 11, 31)

/** The adapter's door: what cannot be done through the documented API. It stands behind a lock. */
export function control({ rules, store, time, logs, functions, gateway }: AllParts): Service {
  const app = new Hono<{ Bindings: HttpBindings }>()
  app.get('/mutants', (c) =>
    c.json(mutants.map(({ name, clause, description }) => ({ name, clause, description })))
  )
  app.get('/zones', (c) => c.json(allZones(store)))
  app.get('/zones/:zone', (c) => c.json(zoneOf(c, store)))
  app.post('/zones', async (c) => {
    return c.json(freshlyAdded(checked(freshZone, await bodyOf(c)), { rules, store, time }))
  })
  app.patch('/zones/:zone', async (c) => {
    const zone = zoneOf(c, store)
    changeZone(store, zone, checked(changedZone, await bodyOf(c)))
    const { id, host, plan, origin } = zoneOf(c, store)
    return c.json({ id, host, plan, origin })
  })
  app.post('/zones/:zone/detections', async (c) => {
    const zone = zoneOf(c, store)
    return c.json(seeded(zone, checked(seededDetections, await bodyOf(c)), { store, time }))
  })
  app.get('/zones/:zone/violations', (c) => c.json(listViolations(store, zoneOf(c, store).id)))
  app.get('/zones/:zone/security-events', (c) =>
    c.json(listSecurityEvents(store, zoneOf(c, store).id))
  )
  app.route('/', logpushControl({ store, logs }))
  app.route('/', wafRoutes({ rules: rules.waf, store, time, zoneOf: (c) => zoneOf(c, store) }))
  app.route('/', functionControl({ rules, store, time, functions }))
  app.put('/threats', async (c) => {
    listThreats(store, checked(threatList, await bodyOf(c)))
    return c.json({})
  })
  app.get('/figures', (c) => c.json(figures()))
  app.get('/clock', (c) => c.json({ now: time.now() }))
  app.post('/clock', async (c) => {
    const { forwardMs } = checked(movedClock, await bodyOf(c))
    if (time.now() + forwardMs > endOfTime) throw invalid('forwardMs: the clock ends in 9999')
    const now = time.forward(forwardMs)
    functions.wake()
    return c.json({ now })
  })
  app.post('/reset', async (c) => {
    await functions.reset(() => reset(store, rules.zoneId))
    await gateway.reset()
    return c.json({ now: time.now() })
  })
  app.notFound((c) => complain(unknownRoute(c.req.path)))
  app.onError(complain)
  return {
    onRequest: getRequestListener(app.fetch),
    onMalformed: (status) => ({ status, type: 'application/json', body: '{"error":"not HTTP"}' })
  }
}

function complain(error: Error): Response {
  if (error instanceof Failure)
    return Response.json(
      { error: error.message, code: error.faults[0]!.code },
      { status: error.status }
    )
  process.emitWarning(error)
  return Response.json({ error: 'internal error' }, { status: 500 })
}

async function bodyOf({ env }: Called) {
  return members(await bytesOf(env.incoming, Infinity))
}

function zoneOf({ req }: Called, store: Store): Zone {
  const zone = zoneById(store, req.param('zone') ?? '')
  if (zone === undefined) throw unknownObject(req.path)
  return zone
}

function freshlyAdded(
  given: Omit<Zone, 'id' | 'host'> & { host?: string },
  { rules, store, time }: Parts
) {
  const name = newId()
  const zone = { ...given, id: rules.zoneId(name), host: given.host ?? hostOf(name.slice(0, 12)) }
  const settings = firstSettings({ enabled: false, now: time.now() })
  try {
    addZone(store, zone, settings)
  } catch (error) {
    throw /UNIQUE/.test(String(error)) ? invalid('host: belongs to another zone') : error
  }
  return { id: zone.id, host: zone.host }
}

/** Adds all detections or none, and returns their ids by kind. */
function seeded(
  zone: Zone,
  given: Record<string, Given[]>,
  { store, time }: Pick<Parts, 'store' | 'time'>
) {
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
