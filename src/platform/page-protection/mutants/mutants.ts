import type { Mutant, Unenforced } from '../../kernel/mutant.ts'
import type { PageProtectionRules } from '../rules.ts'
import { cookieMutants } from './cookie.ts'
import { detectionMutants } from './detection.ts'
import { listMutants } from './list.ts'
import { ofFunctionsMutants } from './of-functions.ts'
import { policyMutants } from './policy.ts'
import { policySemanticsMutants } from './policy-semantics.ts'
import { settingsMutants } from './settings.ts'

/** Every known way to break page protection. */
export const mutants: readonly Mutant<PageProtectionRules>[] = [
  ...settingsMutants,
  ...detectionMutants,
  ...cookieMutants,
  ...listMutants,
  ...policyMutants,
  ...policySemanticsMutants,
  ...ofFunctionsMutants
]

/** A header that no browser acts on. */
const unheard = 'X-Content-Security-Policy-Unheard'

/** Page protection that counts nothing, and whose policies forbid nothing. */
export const unenforced: Unenforced<PageProtectionRules> = {
  limits: {
    largestPerPage: Infinity,
    policyValueCharacters: Infinity,
    reportBytes: Infinity,
    reportRate: { burst: Infinity, perSecond: Infinity },
    reportedDetections: Infinity,
    policies: Infinity,
    policyHeadBytes: Infinity,
    violations: Infinity,
    scriptBytes: Infinity
  },
  policy: {
    header: { log: unheard, allow: unheard },
    isEnabled: () => false,
    isMeant: () => false,
    sources: () => 'default-src *'
  }
}
