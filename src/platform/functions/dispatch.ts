import { Readable } from 'node:stream'
import type { EdgeRequest } from '../edge/request.ts'
import { type Served, valuesOf } from '../edge/served.ts'
import { addSecurityEvent } from '../kernel/security-event.ts'
import type { Store } from '../kernel/store.ts'
import { type Time, timestamp } from '../kernel/time.ts'
import type { Zone } from '../kernel/zone.ts'
import { type Account, accountById, accountBySubdomain } from './account.ts'
import { admission } from './admission.ts'
import { begun } from './begun.ts'
import { functionByDomain } from './domain.ts'
import { errorPage } from './error-page.ts'
import { exactly } from './exactly.ts'
import { type EdgeFunction, functionByHost, functionById } from './function.ts'
import { type Answer, type Bytes, FunctionFailed, type Invocation } from './isolate/contract.ts'
import type { FunctionLimits } from './limits.ts'
import { type FailMode, routeOf } from './route.ts'
import type { ErrorCode, FunctionRules, MatchedBy } from './rules.ts'

type Parts = { rules: FunctionRules; limits: FunctionLimits; store: Store; time: Time }

/** Starts an invocation of a function; its answer, or a throw of FunctionFailed. */
export type Invoke = (target: EdgeFunction, invocation: Invocation) => Promise<Answer>

/** What a function answers to a request; undefined where none stands in its way. */
export type Dispatch = (
  request: EdgeRequest,
  asked: { zone: Zone; gone: AbortSignal }
) => Promise<Served | undefined>

type Found = { target: EdgeFunction; matchedBy: MatchedBy; failMode: FailMode }

/** The functions of a platform as the edge meets them, with the limits on how often it may. */
export function dispatcher(
  parts: Parts & { depthOf: (port: number) => number },
  invoke: Invoke
): Dispatch {
  const { rules, store, time, depthOf } = parts
  const admit = admission(parts)

  return async (request, { zone, gone }) => {
    const found = find(store, request, zone)
    if (found === undefined) return undefined
    if (found === 'nothing') return nothing(request)
    const { target, matchedBy, failMode } = found
    const account = accountById(store, target.account) as Account
    const arrival = { account, zone, address: request.from.address, matchedBy, failMode }
    const admitted = admit(arrival, time.now())
    if (admitted === 'bypass') return undefined
    if (admitted !== 'run') {
      const { code, by, waitMs } = admitted
      if (code === 1015) tell({ store, time, ruleId: rules.rateRule[by] }, request, zone)
      return rules.refusal(errorPage(code, { request, rules, waitMs }), by)
    }
    return answerOf(target, request, { zone, gone })
  }

  async function answerOf(
    target: EdgeFunction,
    request: EdgeRequest,
    { zone, gone }: Parameters<Dispatch>[1]
  ): Promise<Served | undefined> {
    const body = bodyOf(request)
    try {
      const event = eventOf(request, body?.bytes ?? null)
      const context = { zoneId: zone.id, depth: depthOf(request.from.to) }
      return served(await begun(await invoke(target, { ...event, context, gone })))
    } catch (error) {
      // What is wrong with the request's body is the matter of whoever reads it.
      if (body?.failure()) throw body.failure()
      if (!(error instanceof FunctionFailed)) throw error
      if (error.passesThrough && body === null) return undefined
      return errorPage(codeOf(error), { request, rules })
    }
  }
}

/** The function a request comes to; `nothing` at hosts of functions that are not there. */
function find(store: Store, request: EdgeRequest, zone: Zone): Found | 'nothing' | undefined {
  const { host } = request
  if (accountBySubdomain(store, zone.host)) {
    const target = functionByHost(store, host)
    return target ? { target, matchedBy: 'subdomain', failMode: 'closed' } : 'nothing'
  }
  const route = routeOf(store, zone.id, request)
  if (route)
    return {
      target: functionById(store, route.function)!,
      matchedBy: 'route',
      failMode: route.failMode
    }
  const target = functionByDomain(store, host)
  return target && { target, matchedBy: 'domain', failMode: 'closed' }
}

function nothing({ host }: EdgeRequest): Served {
  const body = `There is no function at ${host}.\n`
  return { status: 404, headers: [['Content-Type', 'text/plain; charset=utf-8']], body }
}

function tell(
  { store, time, ruleId }: Pick<Parts, 'store' | 'time'> & { ruleId: string },
  { method, host, path, from, ray }: EdgeRequest,
  { id }: Zone
) {
  addSecurityEvent(store, id, {
    at: timestamp(time.now()),
    source: 'rate-limit',
    action: 'block',
    ruleId,
    ...{ method, host, path, ray },
    address: from.address
  })
}

/** A request's body, and what went wrong with it; null when there is none. */
function bodyOf({ declaredBytes, body }: EdgeRequest) {
  if (declaredBytes === 0) return null
  let failure: unknown
  async function* bytes() {
    try {
      yield* body
    } catch (error) {
      failure = error
      throw error
    }
  }
  return { bytes: bytes(), failure: () => failure }
}

function eventOf(request: EdgeRequest, body: Bytes | null) {
  const { ray, method, host, uri, headers, from, version } = request
  const authority = valuesOf(headers, 'host')[0] ?? host
  return {
    id: ray,
    kind: 'fetch' as const,
    method,
    url: `http://${authority}${uri.startsWith('/') ? uri : '/'}`,
    headers,
    body,
    facts: { ray, clientAddress: from.address, httpProtocol: `HTTP/${version}` }
  }
}

function served({ status, headers, body }: Answer): Served {
  const kept = headers.filter(([name]) => !isOwn(name))
  if (body === null) return { status, headers: kept, body: '' }
  const [length] = valuesOf(headers, 'content-length')
  const bytes = length === undefined ? body : exactly(body, Number(length))
  return { status, headers: kept, body: Readable.from(bytes, { objectMode: false }) }
}

/** The connection's own headers are the edge's to write. */
function isOwn(name: string): boolean {
  return /^(connection|keep-alive|transfer-encoding|upgrade|trailer)$/i.test(name)
}

function codeOf({ outcome }: FunctionFailed): ErrorCode {
  return outcome.startsWith('exceeded') ? 1102 : 1101
}
