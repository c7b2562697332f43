import { ownAccount } from './credential.ts'
import type { Part } from './part.ts'
import type { Plan } from './plan.ts'
import type { KernelRules } from './rules.ts'
import type { Store } from './store.ts'
import { insertZone, type Zone } from './zone.ts'

type Furnishing = Pick<Part, 'zones' | 'furnish' | 'ownTables'>

const plans = {
  free: 'free',
  pro: 'pro',
  business: 'business',
  enterprise: 'enterprise'
} satisfies Record<string, Plan>

/** When the zones were made that a platform begins with. */
export const began = Date.UTC(2024, 0, 8, 9, 30, 0, 125)

/** The host name of a zone that was given none of its own. */
export function hostOf(name: string): string {
  return `${name}.zones.test`
}

/** The zones a platform begins with, by name: one a plan, and those parts ask for. */
export function seededPlans(parts: readonly Furnishing[]): Record<string, Plan> {
  return Object.assign({}, plans, ...parts.map(({ zones }) => zones))
}

/** Adds a zone, and has every part give it what it begins with; to be done in a transaction. */
export function addZone(
  store: Store,
  zone: Zone,
  { parts, now, seededAs }: { parts: readonly Furnishing[]; now: number; seededAs?: string }
) {
  insertZone(store, zone)
  for (const { furnish } of parts) furnish?.(store, zone, { now, seededAs })
}

/** Makes the zones every platform begins with; the same ones each time. */
export function seed(store: Store, parts: readonly Furnishing[], { zoneId }: KernelRules) {
  for (const [name, plan] of Object.entries(seededPlans(parts))) {
    const zone = { id: zoneId(name), account: ownAccount, plan, host: hostOf(name) }
    addZone(store, zone, { parts, now: began, seededAs: name })
  }
}

/** Empties the store of everything but its credentials, and seeds it again. */
export function reset(store: Store, parts: readonly Furnishing[], rules: KernelRules) {
  store.transaction(() => {
    store.run('DELETE FROM zone')
    for (const table of parts.flatMap(({ ownTables = [] }) => ownTables))
      store.run(`DELETE FROM ${table}`)
    store.run('DELETE FROM clock')
    seed(store, parts, rules)
  })
}
