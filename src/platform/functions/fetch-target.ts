import type { Store } from '../kernel/store.ts'
import { type Zone, zoneByHost } from '../kernel/zone.ts'
import { accountBySubdomain } from './account.ts'
import type { Place } from './call-depth.ts'
import { functionByDomain } from './domain.ts'
import type { Caller, FetchTarget, Services } from './isolate/contract.ts'
import type { FunctionLimits } from './limits.ts'
import { routeOf } from './route.ts'
import type { FunctionRules } from './rules.ts'

/** Where the platform's own zones are reached: as everybody does, and behind all functions. */
export type Places = { edge: (depth: number) => Promise<Place>; inside: Place }

const sameZone = {
  refused: 'A function cannot fetch from another function on the same zone (error code: 1042).'
}

const tooDeep = { refused: 'Functions have asked one another too often (error code: 1019).' }

/**
 * Where a function's requests go. To other zones of the platform they go as everybody's do. Within
 * the zone they come from they go to its origin, since the function stands in front of that; to
 * another function there they only go where it has a custom domain. A socket goes as everybody's
 * do: nobody knows what is said on it, and behind all functions that could be about any zone.
 */
export function fetchTargets(
  { store, rules, limits }: { store: Store; rules: FunctionRules; limits: FunctionLimits },
  places: () => Places
): Services['fetchTarget'] {
  const outside = async ({ invocation }: Caller): Promise<FetchTarget> => {
    const depth = Number(invocation.context.depth ?? 0) + 1
    return depth > limits.depth ? tooDeep : { at: await places().edge(depth) }
  }
  return async (url, caller) => {
    const zone = zoneByHost(store, url.hostname.toLowerCase())
    if (zone === undefined) return {}
    const isOwn = zone.id === caller.invocation.context.zoneId
    if (!isOwn || url.protocol === 'tcp:') return outside(caller)
    const matchedBy = otherFunction({ store, zone }, url, caller)
    if (matchedBy === undefined) return { at: places().inside }
    return rules.sameZone[matchedBy] === 'allow' ? outside(caller) : sameZone
  }
}

/** By which way another function than the caller is met at this address, if one is. */
function otherFunction(
  { store, zone }: { store: Store; zone: Zone },
  { hostname, pathname }: URL,
  { spec }: Caller
): 'route' | 'domain' | undefined {
  const host = hostname.toLowerCase()
  if (accountBySubdomain(store, zone.host)) return 'route'
  const route = routeOf(store, zone.id, { host, path: pathname })
  if (route) return route.function === spec.id ? undefined : 'route'
  const other = functionByDomain(store, host)
  return other && other.id !== spec.id ? 'domain' : undefined
}
