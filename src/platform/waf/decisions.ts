import { enforcementRules } from './enforcement.ts'
import { wafLimits } from './limits.ts'
import { mappingRules } from './mapping.ts'
import { migrationRules } from './migration.ts'

/** The numbers and decisions about the two WAFs that are open to be got wrong. */
export const wafDecisions = {
  limits: wafLimits,
  migration: migrationRules,
  mapping: mappingRules,
  enforcement: enforcementRules
}

/** The shape of `wafDecisions`. */
export type WafDecisions = typeof wafDecisions
