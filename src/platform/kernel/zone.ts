import type { Plan } from './plan.ts'
import type { Store } from './store.ts'

/** A zone: a host name with everything below it, belonging to an account and on a plan. */
export type Zone = {
  id: string
  account: string
  plan: Plan
  host: string
  /** Where the edge gets its answers: a server's address or a data URL; without one, the echo. */
  origin?: string | null
}

const columns = 'id, account, plan, host, origin'

/** Adds a zone as such, without anything that parts keep with it. */
export function insertZone(store: Store, zone: Zone) {
  store.run(
    "INSERT INTO zone (id, account, plan, host, origin, settings) VALUES (?, ?, ?, ?, ?, '{}')",
    ...[zone.id, zone.account, zone.plan, zone.host, zone.origin ?? null]
  )
}

/** Whether a text can be a zone's origin: the address of a server, or one page as a data URL. */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, origin, href } = new URL(text)
  return protocol === 'data:' || (/^https?:$/.test(protocol) && href === `${origin}/`)
}

/** The zone with this id, if there is one. */
export function zoneById(store: Store, id: string): Zone | undefined {
  return store.first<Zone>(`SELECT ${columns} FROM zone WHERE id = ?`, id)
}

/** The zone a host name belongs to: its own, or else the nearest above it. */
export function zoneByHost(store: Store, host: string): Zone | undefined {
  for (let name = host; name !== ''; name = parentOf(name)) {
    const zone = store.first<Zone>(`SELECT ${columns} FROM zone WHERE host = ?`, name)
    if (zone) return zone
  }
  return undefined
}

function parentOf(name: string): string {
  const dot = name.indexOf('.')
  return dot < 0 ? '' : name.slice(dot + 1)
}

/** All zones, in the order they were added. */
export function allZones(store: Store): Zone[] {
  return store.all<Zone>(`SELECT ${columns} FROM zone ORDER BY rowid`)
}

/** Gives a zone another plan, another origin or both; null takes the origin away. */
export function changeZone(
  store: Store,
  zone: Zone,
  change: Partial<Pick<Zone, 'plan' | 'origin'>>
) {
  const { id, plan, origin = null } = { ...zone, ...change }
  store.run('UPDATE zone SET plan = ?, origin = ? WHERE id = ?', plan, origin, id)
}
