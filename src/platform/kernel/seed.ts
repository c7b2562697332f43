import { functionData } from '../functions/tables.ts'
import { ownAccount } from '../management/identity.ts'
import { type Given, type Kind, kinds } from '../page-protection/detection.ts'
import { withDefaults } from '../page-protection/detection-defaults.ts'
import { addDetection } from '../page-protection/detection-table.ts'
import { firstSettings } from '../page-protection/settings.ts'
import { ineligible } from '../waf/seeding.ts'
import { changeWaf } from '../waf/zone-waf.ts'
import { idOf } from './id.ts'
import type { Plan } from './plan.ts'
import type { Store } from './store.ts'
import { timestamp } from './time.ts'
import { addZone, type Zone } from './zone.ts'

/** The zones a platform begins with, by name, and the plan each is on. */
export const seededPlans = {
  free: 'free',
  pro: 'pro',
  business: 'business',
  enterprise: 'enterprise',
  ineligible: 'business'
} satisfies Record<string, Plan>

const began = Date.UTC(2024, 0, 8, 9, 30, 0, 125)
const hourMs = 3_600_000
const perKind = 60

/** The host name of a zone that was given none of its own. */
export function hostOf(name: string): string {
  return `${name}.zones.test`
}

/** Makes the zones and detections every platform begins with; the same ones each time. */
export function seed(store: Store, zoneId: (name: string) => string) {
  for (const [name, plan] of Object.entries(seededPlans)) {
    const zone = { id: zoneId(name), account: ownAccount, plan, host: hostOf(name) }
    addZone(store, zone, firstSettings({ enabled: true, now: began }))
    for (const { name: kind } of kinds) seedKind(store, zone, kind)
    if (name === 'ineligible') changeWaf(store, zone.id, { configuration: ineligible })
  }
}

/** Empties the store of everything but its credentials, and seeds it again. */
export function reset(store: Store, zoneId: (name: string) => string) {
  store.transaction(() => {
    store.run('DELETE FROM zone')
    store.run('DELETE FROM account')
    for (const table of functionData) store.run(`DELETE FROM ${table}`)
    store.run('DELETE FROM clock')
    store.run('DELETE FROM threat')
    seed(store, zoneId)
  })
}

function seedKind(store: Store, zone: Zone, kind: Kind['name']) {
  for (let number = 0; number < perKind; number++) {
    const sighting = { host: zone.host, now: began + number * hourMs }
    const given = {
      id: idOf(`${zone.id} ${kind} ${number}`),
      host: pick(['', 'shop.', 'blog.'], number) + zone.host,
      status: number % 5 === 4 ? 'infrequent' : 'active',
      ...fieldsOf[kind](number)
    }
    addDetection(store, { zone: zone.id, kind }, withDefaults[kind](given, sighting))
  }
}

const pick = <Item>(items: readonly Item[], number: number) => items[number % items.length]!

/** Of every seven, one is malicious by its domain, one by its URL and one by both. */
const resource = (number: number): Given => ({
  url: `https://assets-${number % 4}.third-party.test/${number}`,
  added_at: timestamp(began + number * hourMs + 1),
  domain_reported_malicious: [1, 3].includes(number % 7),
  url_reported_malicious: [2, 3].includes(number % 7)
})

/** What the seeded detections differ in; the scores lie on, above and below the threshold. */
const fieldsOf: Record<Kind['name'], (number: number) => Given> = {
  script: (number) => ({
    ...resource(number),
    js_integrity_score: pick([92, 49, 50, 51, 12, 78, 100, 1], number)
  }),
  connection: resource,
  cookie: (number) => ({
    max_age_attribute: pick([null, 3_600, 0], number),
    http_only_attribute: number % 2 === 0
  })
}
