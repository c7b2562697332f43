import type { Store } from '../kernel/store.ts'
import { zoneByHost } from '../kernel/zone.ts'
import { type EdgeFunction, functionById } from './function.ts'
import { refusal } from './refusal.ts'

/**
 * Makes a host within a zone of the function's account its custom domain: all of it goes to the
 * function, as if that were the host's origin. Refused when another function has the host.
 */
export function addDomain(store: Store, target: EdgeFunction, host: string) {
  const zone = zoneByHost(store, host)
  if (zone?.account !== target.account)
    throw refusal('foreign', `${host} is in no zone of the function's account`)
  const owner = functionByDomain(store, host)
  if (owner && owner.id !== target.id)
    throw refusal('taken', `${host} is the custom domain of another function`)
  const sql = 'INSERT OR REPLACE INTO function_domain (host, zone, function) VALUES (?, ?, ?)'
  store.run(sql, host, zone.id, target.id)
}

/** The custom domains of a function. */
export function domainsOf(store: Store, { id }: EdgeFunction): string[] {
  const sql = 'SELECT host FROM function_domain WHERE function = ? ORDER BY host'
  return store.all<{ host: string }>(sql, id).map(({ host }) => host)
}

/** The function whose custom domain a host is. */
export function functionByDomain(store: Store, host: string): EdgeFunction | undefined {
  const sql = 'SELECT function AS id FROM function_domain WHERE host = ?'
  const found = store.first<{ id: string }>(sql, host)
  return found && functionById(store, found.id)
}
