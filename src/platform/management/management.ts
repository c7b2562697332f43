import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { bytesOf, checkType, members } from '../kernel/api/body.ts'
import { failed, succeeded } from '../kernel/api/envelope.ts'
import {
  defect,
  Failure,
  malformedRequest,
  noRoom,
  unknownObject,
  unknownRoute,
  wrongMethod
} from '../kernel/api/failure.ts'
import type { Operation } from '../kernel/api/operation.ts'
import { isFull } from '../kernel/data/database.ts'
import type { Answer } from '../kernel/http/answer.ts'
import type { Service } from '../kernel/http/listener.ts'
import type { Kernel } from '../kernel/part.ts'
import { type Zone, zoneById } from '../kernel/zone.ts'
import type { ManagementRules } from './rules.ts'

type Parts = { rules: ManagementRules; kernel: Kernel; options: unknown }
type Bound = Kernel['operations'][number]
type Called = Context<{ Bindings: HttpBindings }>

/** The management API: every operation of the rules at its path, and an envelope for all else. */
export function management(parts: Parts): Service {
  const { envelope } = parts.rules
  const app = routes(parts)
  app.notFound((c) => reply(failed(envelope, unknownRoute(c.req.path))))
  app.onError((error) => {
    if (error instanceof Failure) return reply(failed(envelope, error))
    if (isFull(error)) return reply(failed(envelope, noRoom()))
    process.emitWarning(error)
    return reply(failed(envelope, defect()))
  })
  return {
    onRequest: getRequestListener(app.fetch, {
      errorHandler: () => reply(failed(envelope, malformedRequest(400)))
    }),
    onMalformed: (status) => failed(envelope, malformedRequest(status))
  }
}

function routes(parts: Parts) {
  const { base } = parts.rules
  const app = new Hono<{ Bindings: HttpBindings }>()
  const byPath = Map.groupBy(parts.kernel.operations, ({ operation }) => operation.path)
  for (const [path, siblings] of byPath) {
    for (const bound of siblings)
      app.on(bound.operation.method, [base + path], (c) => run(c, bound, parts))
    const Allow = [...siblings.map(({ operation }) => operation.method), 'OPTIONS'].join(', ')
    app.options(base + path, () => new Response(null, { status: 204, headers: { Allow } }))
    app.all(base + path, (c) => {
      throw wrongMethod(c.req.method, Allow)
    })
  }
  return app
}

/** The zone that is called for, once it is certain that the caller may. */
function zoneFor({ req }: Called, operation: Operation, { rules, kernel }: Parts): Zone {
  const { store, credentials } = kernel
  const identity = rules.identify(
    {
      authorization: req.header('authorization'),
      email: req.header('x-auth-email'),
      key: req.header('x-auth-key')
    },
    credentials
  )
  const ids: Record<string, string> = req.param()
  if (!Object.values(ids).every(operation.isId ?? kernel.rules.isId)) throw unknownObject(req.path)
  rules.authorise(identity, operation.permission)
  const zone = zoneById(store, ids.zone!.toLowerCase())
  if (zone === undefined || !rules.isOwn(identity, zone)) throw unknownObject(req.path)
  return zone
}

async function run(c: Called, bound: Bound, { rules, kernel, options }: Parts) {
  const { operation } = bound
  const { store, time, egress } = kernel
  const zone = zoneFor(c, operation, { rules, kernel, options })
  const ids: Record<string, string> = c.req.param()
  const limitBytes = operation.bodyBytes?.(bound.rules) ?? rules.limits.bodyBytes
  const body = takesBody(operation) ? await bodyOf(c, limitBytes) : {}
  const asked = { ids, id: ids.id ?? '', path: c.req.path, query: c.req.query(), body }
  const call = { store, time, egress, rules: bound.rules, options, zone, ...asked }
  return reply(succeeded(rules.envelope, operation.run(call)))
}

function takesBody({ method }: Operation): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

async function bodyOf({ req, env }: Called, limitBytes: number) {
  checkType(req.header('content-type'))
  return members(await bytesOf(env.incoming, limitBytes))
}

function reply({ status, type, body, headers }: Answer): Response {
  return new Response(body, { status, headers: { ...headers, 'Content-Type': type } })
}
