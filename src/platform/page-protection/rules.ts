import { detectionOperations } from './detection-operations.ts'
import { pageProtectionLimits } from './limits.ts'
import { application } from './policy/header.ts'
import { policyOperations } from './policy/policy-operations.ts'
import { settingsOperations } from './settings.ts'

/** What page protection promises. */
export const pageProtectionRules = {
  limits: pageProtectionLimits,
  /** How policies take effect at the edge. */
  policy: application,
  operations: { ...settingsOperations, ...detectionOperations, ...policyOperations }
}

/** The shape of `pageProtectionRules`. */
export type PageProtectionRules = typeof pageProtectionRules
