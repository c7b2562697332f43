import { idOf } from '../kernel/id.ts'
import { began } from '../kernel/seed.ts'
import type { Store } from '../kernel/store.ts'
import { timestamp } from '../kernel/time.ts'
import type { Zone } from '../kernel/zone.ts'
import { type Given, type Kind, kinds } from './detection.ts'
import { withDefaults } from './detection-defaults.ts'
import { addDetection } from './detection-table.ts'

const hourMs = 3_600_000
const perKind = 60

/** Makes the detections that a zone has which is there from the start; the same ones each time. */
export function seedDetections(store: Store, zone: Zone) {
  for (const { name: kind } of kinds)
    for (let number = 0; number < perKind; number++) seedOne(store, zone, { kind, number })
}

function seedOne(
  store: Store,
  zone: Zone,
  { kind, number }: { kind: Kind['name']; number: number }
) {
  const sighting = { host: zone.host, now: began + number * hourMs }
  const given = {
    id: idOf(`${zone.id} ${kind} ${number}`),
    host: pick(['', 'shop.', 'blog.'], number) + zone.host,
    status: number % 5 === 4 ? 'infrequent' : 'active',
    ...fieldsOf[kind](number)
  }
  addDetection(store, { zone: zone.id, kind }, withDefaults[kind](given, sighting))
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
