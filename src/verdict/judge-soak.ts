import { percent } from '../number.ts'
import { type DriftConclusion, type DriftTerms, judgeDrift, mostVoid } from './judge-drift.ts'
import type { Conclusion } from './outcome.ts'
import type { Stretch } from './stretch.ts'

/** What must not grow as a sentence. */
export function budgetsText(budgets: Record<string, number>): string {
  const parts = Object.entries(budgets).map(([name, budget]) => `${name} by ${percent(budget, 2)}`)
  return `in an hour nothing grows by more than its budget: ${parts.join(', ')}`
}

/** How every metric that decides moved, as shares of its level an hour. */
function observedText({ metrics }: DriftConclusion): string {
  const parts = Object.entries(metrics).flatMap(([name, { gates, slope, level }]) => {
    if (!gates) return []
    const share = level === 0 ? 0 : slope / Math.abs(level)
    return `${name} ${share < 0 ? '−' : '+'}${percent(Math.abs(share), 2)} an hour`
  })
  return parts.join(', ') || 'nothing that decides'
}

/** Judges a soak as a scenario is: drift fails it, and a generator at fault is an `error`. */
export function judgeSoak(stretches: readonly Stretch[], terms: DriftTerms): Conclusion {
  const found = judgeDrift(stretches, terms)
  const { verdict, because, voidShare, furtherSeconds } = found
  const observed = observedText(found)
  if (verdict === 'drift') return { outcome: 'fail', observed, because }
  if (verdict === 'stable') return { outcome: 'pass', observed, because }
  const outcome = voidShare > mostVoid ? 'error' : 'inconclusive'
  const minutes = Math.ceil(furtherSeconds / 60)
  const longer = furtherSeconds > 0 ? `; about ${minutes} more minutes would tell` : ''
  return { outcome, observed, because: `${because}${longer}` }
}
