import type { Mutant, Unenforced } from '../../kernel/mutant.ts'
import type { WafRules } from '../rules.ts'
import { wafConditionMutants } from './condition.ts'
import { wafManagedMutants } from './managed.ts'
import { wafMigrationMutants } from './migration.ts'
import { wafOutcomeMutants } from './outcome.ts'
import { wafReportMutants } from './report.ts'

/** Every known way to break the WAFs and the migration between them. */
export const mutants: readonly Mutant<WafRules>[] = [
  ...wafReportMutants,
  ...wafConditionMutants,
  ...wafMigrationMutants,
  ...wafOutcomeMutants,
  ...wafManagedMutants
]

/** WAFs that let everything through, and a migration that any zone may make in any order. */
export const unenforced: Unenforced<WafRules> = {
  limits: {
    entrypointBytes: Infinity,
    migratedFirewallRules: Infinity,
    migratedExpressionBytes: Infinity
  },
  migration: {
    hasValidation: () => true,
    isEligible: () => true,
    isPreviousOver: () => false,
    next: (_state, mode) => mode,
    expressionBytes: () => 0
  },
  enforcement: { isExempt: { previous: () => true, new: () => true } }
}
