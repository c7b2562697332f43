import { detectionOperations } from './detection-operations.ts'
import { pageProtectionLimits } from './limits.ts'
import { application } from './policy/header.ts'
import { policyOperations } from './policy/policy-operations.ts'
import { type Settings, settingsOperations } from './settings.ts'

/** What page protection promises. */
export const pageProtectionRules = {
  limits: pageProtectionLimits,
  /** How policies take effect at the edge. */
  policy: application,
  /** Whether anything is learnt of the pages of a zone with these settings. */
  isWatched: ({ enabled }: Settings): boolean => enabled,
  operations: { ...settingsOperations, ...detectionOperations, ...policyOperations }
}

/** The shape of `pageProtectionRules`. */
export type PageProtectionRules = typeof pageProtectionRules
