import type { CommandFound } from '../verdict/command-found.ts'
import type { Outcome } from '../verdict/outcome.ts'
import type { Evidence } from '../verdict/verdict.ts'
import type { VerdictRecord } from './record.ts'

/** Verdicts of one outcome that a report shows with all they rest on. */
export const mostShown = 2_000

/** Evidence of the same kind that holds nothing. */
function emptied(evidence: Evidence): Evidence {
  switch (evidence.kind) {
    case 'boundary':
      return { ...evidence, boundaries: [] }
    case 'observations':
      return { ...evidence, attempts: [] }
    case 'capacity':
      return { ...evidence, found: { ...evidence.found, trials: [], degradation: [] } }
    case 'soak':
      return { ...evidence, stretches: [] }
    case 'command':
      return { ...evidence, found: emptiedFound(evidence.found) }
    case 'load':
    case 'none':
      return evidence
  }
}

function emptiedFound(found: CommandFound): CommandFound {
  if (found.of === 'comparison') return { ...found, pairs: [] }
  if (found.of === 'history') return { ...found, points: [], shifts: [] }
  return found.of === 'capacity' ? { ...found, capacity: undefined } : { of: 'limit' }
}

/**
 * Takes the verdicts of a run one after the other and leaves the evidence out of those beyond the
 * most that are shown, so that memory is bounded by what verdicts say, however much they rest on.
 */
export function thinning(most = mostShown): (verdict: VerdictRecord) => VerdictRecord {
  const seen = new Map<Outcome, number>()
  return (verdict) => {
    const count = (seen.get(verdict.outcome) ?? 0) + 1
    seen.set(verdict.outcome, count)
    if (count <= most) return verdict
    return { ...verdict, evidence: emptied(verdict.evidence), evidenceLeftOut: true }
  }
}
