import { enforcementRules } from './enforcement.ts'
import { mappingRules } from './mapping.ts'
import { migrationRules } from './migration.ts'

/** Every decision about the two WAFs that is open to be got wrong. */
export const wafRules = {
  migration: migrationRules,
  mapping: mappingRules,
  enforcement: enforcementRules
}

/** The shape of `wafRules`. */
export type WafRules = typeof wafRules
