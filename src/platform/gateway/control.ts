import { Hono } from 'hono'
import * as v from 'valibot'
import { checked } from '../kernel/api/body.ts'
import { invalid } from '../kernel/api/failure.ts'
import { bodyOf, type ControlEnv } from '../kernel/control-call.ts'
import type { Gateway } from './gateway.ts'

const node = v.strictObject({ url: v.pipe(v.string(), v.regex(/^https?:\/\/./), v.url()) })

/** What adapters can ask of the gateway: to have a node behind a network of another name. */
export function gatewayControl({ place }: Pick<Gateway, 'place'>) {
  return new Hono<ControlEnv>().put('/networks/:name', async (c) => {
    const { url } = checked(node, await bodyOf(c))
    const objection = place(c.req.param('name'), url)
    if (objection === undefined) return c.json({})
    throw invalid(objection)
  })
}
