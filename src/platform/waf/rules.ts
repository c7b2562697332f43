import { wafDecisions } from './decisions.ts'
import { migrationOperations } from './migration-operations.ts'
import { previousOperations } from './previous/previous-operations.ts'
import { rulesetOperations } from './ruleset-operations.ts'

/** What the two WAFs promise, and the way from the previous to the new one. */
export const wafRules = {
  ...wafDecisions,
  operations: { ...migrationOperations, ...rulesetOperations, ...previousOperations }
}

/** The shape of `wafRules`. */
export type WafRules = typeof wafRules
