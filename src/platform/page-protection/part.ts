import { stages } from '../edge/stage.ts'
import { part } from '../kernel/part.ts'
import { logsAccess } from '../logpush/record.ts'
import { pageProtectionControl } from './control.ts'
import { protection } from './protection.ts'
import { pageProtectionRules } from './rules.ts'
import { seedDetections } from './seeding.ts'
import { firstSettings, writeSettings } from './settings.ts'
import { pageProtectionMigrations } from './tables.ts'

/** Page protection: what pages load is detected, and policies say what they may load. */
export const pageProtectionPart = part({
  name: 'pageProtection',
  rules: pageProtectionRules,
  migrations: pageProtectionMigrations,
  ownTables: ['threat'],
  furnish(store, zone, { now, seededAs }) {
    const enabled = seededAs !== undefined
    writeSettings(store, zone.id, firstSettings({ enabled, now }))
    if (seededAs !== undefined) seedDetections(store, zone)
  },
  open({ store, time, extensions }, { rules }) {
    const logs = extensions.one(logsAccess)
    extensions.offer(stages, protection({ rules, store, time, logs }))
    return { control: pageProtectionControl({ store, time }) }
  },
  breaks: () => import('./mutants/mutants.ts')
})
