import { bodySizeMutants } from './edge/mutants/body-size.ts'
import { cachedFileMutants } from './edge/mutants/cached-file.ts'
import { headSizeMutants } from './edge/mutants/head-size.ts'
import { isolateConnectionMutants } from './functions/mutants/connections.ts'
import { functionMutants } from './functions/mutants/function.ts'
import { isolateLifeMutants } from './functions/mutants/life.ts'
import { isolateQuotaMutants } from './functions/mutants/quota.ts'
import { functionRateMutants } from './functions/mutants/rate.ts'
import { gatewayMutants } from './gateway/mutants.ts'
import { nearest } from './kernel/nearest.ts'
import { type Override, override } from './kernel/override.ts'
import { logPushMutants } from './logpush/mutants/delivery.ts'
import { logPushFilterMutants } from './logpush/mutants/filter.ts'
import { addressingMutants } from './management/mutants/addressing.ts'
import { authenticationMutants } from './management/mutants/authentication.ts'
import { envelopeMutants } from './management/mutants/envelope.ts'
import { nothingEnforced } from './nothing-enforced.ts'
import { detectionMutants } from './page-protection/mutants/detection.ts'
import { listMutants } from './page-protection/mutants/list.ts'
import { policyMutants } from './page-protection/mutants/policy.ts'
import { policySemanticsMutants } from './page-protection/mutants/policy-semantics.ts'
import { settingsMutants } from './page-protection/mutants/settings.ts'
import { type Rules, rules } from './rules.ts'
import { wafConditionMutants } from './waf/mutants/condition.ts'
import { wafMigrationMutants } from './waf/mutants/migration.ts'
import { wafOutcomeMutants } from './waf/mutants/outcome.ts'
import { wafReportMutants } from './waf/mutants/report.ts'

/** One way to break the platform: rules that differ from the promised ones in a single respect. */
export type Mutant = {
  /** Kebab-case; says what is broken. */
  name: string
  /** The clause whose verdict it must turn to fail. */
  clause: string
  /** What a client would see, in a sentence. */
  description: string
  change: Override<Rules>
}

/** Every known way to break the platform. */
export const mutants: readonly Mutant[] = [
  ...functionMutants,
  ...functionRateMutants,
  ...cachedFileMutants,
  ...isolateQuotaMutants,
  ...isolateConnectionMutants,
  ...isolateLifeMutants,
  ...wafReportMutants,
  ...wafConditionMutants,
  ...wafMigrationMutants,
  ...wafOutcomeMutants,
  ...headSizeMutants,
  ...bodySizeMutants,
  ...envelopeMutants,
  ...addressingMutants,
  ...settingsMutants,
  ...detectionMutants,
  ...listMutants,
  ...policyMutants,
  ...policySemanticsMutants,
  ...gatewayMutants,
  ...authenticationMutants,
  ...logPushMutants,
  ...logPushFilterMutants
]

/**
 * The promised rules, or those broken in the way of this name: by a mutant, or by enforcing nothing
 * at all, which is no mutant, since it breaks many clauses at once.
 */
export function brokenBy(name?: string): Rules {
  if (name === undefined) return rules
  const ways = [nothingEnforced, ...mutants]
  const way = ways.find((candidate) => candidate.name === name)
  if (way) return override<Rules>(rules, way.change)
  const names = ways.map((candidate) => candidate.name)
  throw new Error(`no mutant is named ${name}; the nearest are ${nearest(name, names).join(', ')}`)
}
