import { stages } from '../edge/stage.ts'
import { part } from '../kernel/part.ts'
import { wafControl } from './control.ts'
import { enforcement } from './enforcement.ts'
import { wafRules } from './rules.ts'
import { ineligible } from './seeding.ts'
import { changeWaf, wafTables } from './zone-waf.ts'

/** The previous WAF, the new one, and the migration between them. */
export const wafPart = part({
  name: 'waf',
  rules: wafRules,
  migrations: [{ version: 9, sql: wafTables }],
  zones: { ineligible: 'business' },
  furnish(store, zone, { seededAs }) {
    if (seededAs === 'ineligible') changeWaf(store, zone.id, { configuration: ineligible })
  },
  open({ store, time, extensions }, { rules }) {
    extensions.offer(stages, enforcement({ rules, store, time }))
    return { control: wafControl({ rules, store, time }) }
  },
  breaks: () => import('./mutants/mutants.ts')
})
