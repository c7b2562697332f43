import { type Difference, differ } from './difference.ts'
import { addressingMutants } from './mutants/addressing.ts'
import { authenticationMutants } from './mutants/authentication.ts'
import { bodySizeMutants } from './mutants/body-size.ts'
import { cachedFileMutants } from './mutants/cached-file.ts'
import { detectionMutants } from './mutants/detection.ts'
import { envelopeMutants } from './mutants/envelope.ts'
import { functionMutants } from './mutants/function.ts'
import { functionRateMutants } from './mutants/function-rate.ts'
import { gatewayMutants } from './mutants/gateway.ts'
import { headSizeMutants } from './mutants/head-size.ts'
import { isolateConnectionMutants } from './mutants/isolate-connections.ts'
import { isolateLifeMutants } from './mutants/isolate-life.ts'
import { isolateQuotaMutants } from './mutants/isolate-quota.ts'
import { listMutants } from './mutants/list.ts'
import { logPushMutants } from './mutants/log-push.ts'
import { logPushFilterMutants } from './mutants/log-push-filter.ts'
import { policyMutants } from './mutants/policy.ts'
import { policySemanticsMutants } from './mutants/policy-semantics.ts'
import { settingsMutants } from './mutants/settings.ts'
import { wafConditionMutants } from './mutants/waf/condition.ts'
import { wafMigrationMutants } from './mutants/waf/migration.ts'
import { wafOutcomeMutants } from './mutants/waf/outcome.ts'
import { wafReportMutants } from './mutants/waf/report.ts'
import { nearest } from './nearest.ts'
import { nothingEnforced } from './nothing-enforced.ts'
import { type Rules, rules } from './rules.ts'

/** One way to break the platform: rules that differ from the promised ones in a single respect. */
export type Mutant = {
  /** Kebab-case; says what is broken. */
  name: string
  /** The clause whose verdict it must turn to fail. */
  clause: string
  /** What a client would see, in a sentence. */
  description: string
  change: Difference<Rules>
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
  if (way) return differ<Rules>(rules, way.change)
  const names = ways.map((candidate) => candidate.name)
  throw new Error(`no mutant is named ${name}; the nearest are ${nearest(name, names).join(', ')}`)
}
