import type { EdgeRequest } from '../edge/request.ts'
import { type Served, valuesOf } from '../edge/served.ts'
import { detectionOperations } from './detection-operations.ts'
import { pageProtectionLimits } from './limits.ts'
import { whole } from './monitor/content.ts'
import { application, type PolicyHeader } from './policy/header.ts'
import { policyOperations } from './policy/policy-operations.ts'
import { type Settings, settingsOperations } from './settings.ts'

/** What is served, and the request for it. */
type Answered = { served: Served; request: EdgeRequest }

/** What page protection promises. */
export const pageProtectionRules = {
  limits: pageProtectionLimits,
  /** How policies take effect at the edge. */
  policy: application,
  /** The policies of a request's answer, as they are added to it. */
  added: (policies: PolicyHeader[], _to: Answered): PolicyHeader[] => policies,
  /** The cookies that are met with an answer, as it sets them. */
  cookiesOf: ({ served }: Answered): string[] => valuesOf(served.headers, 'set-cookie'),
  /** Whether anything is learnt of the pages of a zone with these settings. */
  isWatched: ({ enabled }: Settings): boolean => enabled,
  /** What the hash of a script is that of. */
  hashed: whole,
  operations: { ...settingsOperations, ...detectionOperations, ...policyOperations }
}

/** The shape of `pageProtectionRules`. */
export type PageProtectionRules = typeof pageProtectionRules
