import { metered } from './edge/metered.ts'
import { refuse } from './edge/refusal.ts'
import { receive } from './edge/request.ts'
import { bodyLimit, oversize } from './edge/size.ts'
import { isolateRules } from './functions/isolate/rules.ts'
import { functionRules } from './functions/rules.ts'
import { gatewayRules } from './gateway/rules.ts'
import { envelope } from './kernel/api/envelope.ts'
import type { Operation } from './kernel/api/operation.ts'
import { idOf, isId } from './kernel/id.ts'
import { limits } from './limits.ts'
import { application as logpush } from './logpush/application.ts'
import { datasetOperations } from './logpush/dataset-operations.ts'
import { jobOperations } from './logpush/job-operations.ts'
import { authorise, identify } from './management/identity.ts'
import { zoneOperations } from './management/zone-operations.ts'
import { detectionOperations } from './page-protection/detection-operations.ts'
import { application } from './page-protection/policy/header.ts'
import { policyOperations } from './page-protection/policy/policy-operations.ts'
import { settingsOperations } from './page-protection/settings.ts'
import { migrationOperations } from './waf/migration-operations.ts'
import { previousOperations } from './waf/previous/previous-operations.ts'
import { rulesetOperations } from './waf/ruleset-operations.ts'
import { wafRules } from './waf/waf-rules.ts'

const operations: Record<string, Operation> = {
  ...zoneOperations,
  ...settingsOperations,
  ...detectionOperations,
  ...policyOperations,
  ...migrationOperations,
  ...rulesetOperations,
  ...previousOperations,
  ...jobOperations,
  ...datasetOperations
}

/**
 * Everything the platform promises, as one value: its numbers, and the decisions that are open to
 * be got wrong. A listener takes what it enforces from here and nowhere else, so that a broken
 * platform is these rules with a difference, and the listeners know nothing of it.
 */
export const rules = {
  limits,
  /** What the path of every management operation begins with. */
  base: '/client/v4',
  isId,
  /** Gives a zone its id. */
  zoneId: idOf,
  envelope,
  identify,
  permit: authorise,
  /** The management API's operations; those the document promises go by the clause's id. */
  operations,
  /** How policies take effect at the edge. */
  policy: application,
  /** The two WAFs, and the way from the previous to the new one. */
  waf: wafRules,
  /** Which records log-push jobs take, how they are written, and how delivered. */
  logpush,
  /** Networks, calls and answers of the blockchain gateway. */
  gateway: gatewayRules,
  /** Edge functions: accounts and rates, what leads to them, and the isolates they run in. */
  functions: functionRules,
  isolate: isolateRules,
  edge: { receive, oversize, bodyLimit, metered, refuse }
}

/** The shape of `rules`. */
export type Rules = typeof rules
