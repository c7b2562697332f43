import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { bytesOf, members } from './api/body.ts'
import { unknownObject } from './api/failure.ts'
import type { Store } from './store.ts'
import { type Zone, zoneById } from './zone.ts'

/** What Hono is told about a control request: its message of Node's. */
export type ControlEnv = { Bindings: HttpBindings }

/** A control request. */
export type ControlCall = Context<ControlEnv>

/** The members of a control request's body. */
export async function bodyOf({ env }: ControlCall) {
  return members(await bytesOf(env.incoming, Infinity))
}

/** The zone in the path of a control request; fails when there is none. */
export function zoneOf({ req }: ControlCall, store: Store): Zone {
  const zone = zoneById(store, req.param('zone') ?? '')
  if (zone === undefined) throw unknownObject(req.path)
  return zone
}
