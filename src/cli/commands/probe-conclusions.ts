import type { ClaimFinding } from '../../limit/claims/row.ts'
import type { VariantBoundary } from '../../limit/variants.ts'
import type { CommandConclusion } from '../saved/command-run.ts'
import { type Entry, isClear, isFault } from '../terminal/probe-entry.ts'
import { entryText } from '../terminal/probe-text.ts'

/** What was found of each limit, for a report: seen where it is clear, since nobody demanded it. */
export function limitConclusions(
  limits: readonly Entry[],
  asked: ReadonlyMap<string, readonly VariantBoundary[]>
): CommandConclusion[] {
  return limits.map((entry) => {
    const { limit, because } = entry
    const observed = toldOf(entry)
    const isAbsent = 'outcome' in entry && entry.outcome === 'inapplicable'
    const seen = isFault(entry) ? 'fail' : isClear(entry) ? 'observed' : 'inconclusive'
    const outcome = isAbsent ? 'inapplicable' : seen
    return {
      clause: limit,
      documented: 'nothing: it was looked for',
      conclusion: { outcome, observed, because },
      found: {
        of: 'limit',
        ...('unit' in entry && { unit: entry.unit, boundaries: [...(asked.get(limit) ?? [])] }),
        ...('algorithm' in entry && { rate: entry })
      }
    }
  })
}

/** What came of holding headers to their word, for a report. */
export function claimConclusions(claims: readonly ClaimFinding[]): CommandConclusion[] {
  const outcomes = { true: 'pass', false: 'fail', unsaid: 'inapplicable' } as const
  return claims.map(({ field, verdict, because }) => ({
    clause: field,
    documented: 'what the header says of limits',
    conclusion: { outcome: outcomes[verdict], observed: `it is ${verdict}`, because },
    found: { of: 'limit' }
  }))
}

/** The text of an entry without its name. */
function toldOf(entry: Entry): string {
  const lines = entryText(entry).split('\n')
  const width = lines[0]!.indexOf(entry.limit) + entry.limit.length
  return lines.map((line, index) => (index === 0 ? line.slice(width) : line).trim()).join('\n')
}
