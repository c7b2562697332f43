import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import * as v from 'valibot'
import { checked } from './api/body.ts'
import { Failure, invalid, noRoom, unknownRoute } from './api/failure.ts'
import { bodyOf, type ControlCall, type ControlEnv, zoneOf } from './control-call.ts'
import { ownAccount } from './credential.ts'
import { isFull } from './data/database.ts'
import { figures } from './figures.ts'
import type { Service } from './http/listener.ts'
import { newId } from './id.ts'
import type { Mutant } from './mutant.ts'
import type { Kernel, RunningPart } from './part.ts'
import { plans } from './plan.ts'
import { listSecurityEvents } from './security-event.ts'
import { hostOf } from './seed.ts'
import type { Twins } from './twins.ts'
import { allZones, changeZone, isOrigin, type Zone } from './zone.ts'

type Parts = {
  kernel: Kernel
  parts: readonly RunningPart[]
  /** Every known way to break the platform. */
  mutants: () => Promise<readonly Mutant[]>
  /** Has the store as it was seeded. */
  reset: () => void
  twins: Twins
}

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

/** The last moment a timestamp of the document can name. */
const endOfTime = Date.UTC(9999, 11, 31)

/**
 * The adapter's door: what cannot be done through the documented API, by the kernel and by each
 * part. It stands behind a lock.
 */
export function control({ kernel, parts, mutants, reset, twins }: Parts): Service {
  const { time } = kernel
  const app = new Hono<ControlEnv>()
  zones(app, kernel)
  for (const part of parts) if (part.control) app.route('/', part.control as Hono<ControlEnv>)
  app.get('/mutants', async (c) => {
    const known = await mutants()
    return c.json(known.map(({ name, clause, description }) => ({ name, clause, description })))
  })
  app.get('/figures', (c) => c.json(figures()))
  app.get('/clock', (c) => c.json({ now: time.now() }))
  app.post('/clock', async (c) => {
    const { forwardMs } = checked(movedClock, await bodyOf(c))
    if (time.now() + forwardMs > endOfTime) throw invalid('forwardMs: the clock ends in 9999')
    const now = time.forward(forwardMs)
    for (const part of parts) part.moved?.()
    return c.json({ now })
  })
  app.post('/reset', async (c) => {
    const after = parts.map((part) => part.reset?.())
    reset()
    for (const forget of after) await forget?.()
    return c.json({ now: time.now() })
  })
  app.post('/twins', async (c) => c.json(await twins.start()))
  app.delete('/twins/:id', async (c) => {
    if (await twins.end(c.req.param('id'))) return c.json({})
    throw unknownRoute(c.req.path)
  })
  app.notFound((c) => complain(unknownRoute(c.req.path)))
  app.onError(complain)
  return {
    onRequest: getRequestListener(app.fetch),
    onMalformed: (status) => ({ status, type: 'application/json', body: '{"error":"not HTTP"}' })
  }
}

function zones(app: Hono<ControlEnv>, kernel: Kernel) {
  const { store } = kernel
  app.get('/zones', (c) => c.json(allZones(store)))
  app.get('/zones/:zone', (c) => c.json(zoneOf(c, store)))
  app.post('/zones', async (c) => {
    return c.json(freshlyAdded(checked(freshZone, await bodyOf(c)), kernel))
  })
  app.patch('/zones/:zone', async (c: ControlCall) => {
    const zone = zoneOf(c, store)
    changeZone(store, zone, checked(changedZone, await bodyOf(c)))
    const { id, host, plan, origin } = zoneOf(c, store)
    return c.json({ id, host, plan, origin })
  })
  app.get('/zones/:zone/security-events', (c) =>
    c.json(listSecurityEvents(store, zoneOf(c, store).id))
  )
}

function complain(thrown: Error): Response {
  const error = isFull(thrown) ? noRoom() : thrown
  if (error instanceof Failure)
    return Response.json(
      { error: error.message, code: error.faults[0]!.code },
      { status: error.status }
    )
  process.emitWarning(error)
  return Response.json({ error: 'internal error' }, { status: 500 })
}

function freshlyAdded(
  given: Omit<Zone, 'id' | 'host'> & { host?: string },
  { rules, store, addZone }: Kernel
) {
  const name = newId()
  const zone = { ...given, id: rules.zoneId(name), host: given.host ?? hostOf(name.slice(0, 12)) }
  try {
    store.transaction(() => addZone(zone))
  } catch (error) {
    throw /UNIQUE/.test(String(error)) ? invalid('host: belongs to another zone') : error
  }
  return { id: zone.id, host: zone.host }
}
