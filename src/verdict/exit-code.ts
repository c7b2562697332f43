import type { Outcome, OutcomeCounts } from './outcome.ts'
import type { Coverage } from './verdict.ts'

type Demand = {
  coverage: Coverage
  /** Percentage of the document's clauses that must at least be judged or observed. */
  requireCoverage?: number
  /** How much else is not as it was demanded, as by a gate on what is only observed. */
  breaches?: number
  /** What becomes of a run that breaks advice and nothing else; default: it fails. */
  advice?: Advice
}

/** What broken advice is worth: as much as a broken promise, or a warning. */
export type Advice = 'fail' | 'warn'

/** Outcomes for which the target was asked and answered. */
const checked: readonly Outcome[] = ['pass', 'deviation', 'observed', 'changed', 'warning']

/**
 * The exit code of a finished run: 1 for a fail, for broken advice, or for a breach, 3 for a fault
 * of ours, 2 when anything is inconclusive or blocked, 4 when nothing was checked or too little of
 * the document, else 0. A proven fail outranks a fault elsewhere, since the fault does not take the
 * proof away.
 */
export function exitCode(
  counts: OutcomeCounts,
  { coverage, requireCoverage = 0, breaches = 0, advice = 'fail' }: Demand
): number {
  const some = (...outcomes: Outcome[]) => outcomes.some((outcome) => (counts[outcome] ?? 0) > 0)
  if (some('fail') || breaches > 0) return 1
  if (some('warning') && advice === 'fail') return 1
  if (some('error')) return 3
  if (some('inconclusive', 'blocked')) return 2
  if (!some(...checked)) return 4
  if (requireCoverage === 0) return 0
  const percent = (100 * (coverage.judged + coverage.observed)) / coverage.clauses
  return percent >= requireCoverage ? 0 : 4
}
