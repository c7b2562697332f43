import type { Store } from '../kernel/store.ts'
import type { Zone } from '../kernel/zone.ts'
import { functionById } from './function.ts'
import type { FunctionLimits } from './limits.ts'
import { liesWithin, readPattern } from './pattern.ts'
import { refusal } from './refusal.ts'

/** What happens to requests on a route once the account's day is used up. */
export type FailMode = 'open' | 'closed'

/** Requests to a zone that match a pattern, and the function they go to. */
export type Route = { pattern: string; function: string; failMode: FailMode }

const columns = 'pattern, function, fail_mode AS failMode'

/**
 * Adds a route to a zone, or gives the one with this pattern another function. Refused beyond the
 * limits, for a pattern that is not within the zone, and for a function of another account.
 */
export function addRoute(
  store: Store,
  { zone, route }: { zone: Zone; route: Route },
  limits: FunctionLimits
) {
  const { host, hostSuffix, path, pathPrefix } = patternWithin(route.pattern, zone)
  const target = functionById(store, route.function)
  if (target?.account !== zone.account)
    throw refusal('foreign', 'the function and the zone must belong to the same account')
  const count = (sql: string, ...values: string[]) =>
    store.first<{ count: number }>(`SELECT ${sql}`, ...values)!.count
  store.transaction(() => {
    store.run('DELETE FROM function_route WHERE zone = ? AND pattern = ?', zone.id, route.pattern)
    const routes = count('count(*) AS count FROM function_route WHERE zone = ?', zone.id)
    if (routes >= limits.routesPerZone)
      throw refusal('routes', `a zone has at most ${limits.routesPerZone} routes`)
    const others = 'count(DISTINCT zone) AS count FROM function_route'
    const zones = count(`${others} WHERE function = ? AND zone <> ?`, target.id, zone.id)
    if (zones >= limits.zonesPerFunction)
      throw refusal('zones', `a function has routes in at most ${limits.zonesPerFunction} zones`)
    store.run(
      `INSERT INTO function_route
         (zone, pattern, host, host_suffix, path, path_prefix, function, fail_mode)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[zone.id, route.pattern, host, hostSuffix, path, pathPrefix, target.id, route.failMode]
    )
  })
}

/** The route that a request to a zone takes: the most specific one that matches, if any does. */
export function routeOf(
  store: Store,
  zoneId: string,
  { host, path }: { host: string; path: string }
): Route | undefined {
  // A whole host beats a wildcard, a longer wildcard a shorter one; only then do paths decide.
  return store.first<Route>(
    `SELECT ${columns} FROM function_route WHERE zone = ?
       AND (host = ? OR substr(?, -length(host_suffix)) = host_suffix)
       AND (path = ? OR substr(?, 1, length(path_prefix)) = path_prefix)
       ORDER BY host IS NULL, length(host_suffix) DESC, path IS NULL, length(path_prefix) DESC`,
    ...[zoneId, host, host, path, path]
  )
}

/** The routes of a zone, by pattern. */
export function listRoutes(store: Store, zoneId: string): Route[] {
  const sql = `SELECT ${columns} FROM function_route WHERE zone = ? ORDER BY pattern`
  return store.all<Route>(sql, zoneId)
}

/** The routes of all zones, those of a zone by pattern. */
export function listAllRoutes(store: Store): ({ zone: string } & Route)[] {
  return store.all(`SELECT zone, ${columns} FROM function_route ORDER BY zone, pattern`)
}

/** Takes a route away; whether there was one. */
export function deleteRoute(store: Store, zoneId: string, pattern: string): boolean {
  const sql = 'DELETE FROM function_route WHERE zone = ? AND pattern = ?'
  return store.run(sql, zoneId, pattern) > 0
}

function patternWithin(text: string, zone: Zone) {
  const pattern = readPattern(text)
  if (liesWithin(pattern, zone.host)) return pattern
  throw refusal('pattern', `"${text}" is not within the zone ${zone.host}`)
}
