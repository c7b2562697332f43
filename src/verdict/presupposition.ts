import type { Outcome, Verdict } from './verdict.ts'

/** Outcomes that say what became of the asking, and not whether the clause is true. */
const unjudged: readonly Outcome[] = [
  ...(['error', 'blocked', 'observed', 'changed', 'inapplicable', 'untested'] as const)
]

type Judged = Pick<Verdict, 'clause' | 'outcome'>

/**
 * Verdicts in the light of what their clauses presuppose: one that is about what a limit brings
 * with it, such as that calls beyond it are queued, says nothing where that limit was not shown.
 * `among` is all that the run has come to, with the given ones.
 *
 * | what a clause presupposes                                  | its verdict    |
 * | ---------------------------------------------------------- | -------------- |
 * | has passed, as far as it could be asked                    | stays          |
 * | has another outcome than `pass`, but for `blocked`         | `inapplicable` |
 * | could not be asked at all                                  | `inapplicable` |
 *
 * A `fail` is no better founded than a `pass` then, and neither hides anything: whatever kept the
 * limit from being shown has a verdict of its own, which decides the exit code. What could not be
 * asked, or was only observed, stays what it is.
 */
export function inLight<Given extends Verdict>(
  verdicts: readonly Given[],
  among: readonly Given[] = verdicts
): Given[] {
  const byClause = Map.groupBy(among, ({ clause }) => clause)
  const settled = new Map<Given, Given>()
  const settle = (verdict: Given): Given => {
    const known = settled.get(verdict)
    if (known) return known
    // One that is come back to while it is being settled presupposes itself, and is not shown.
    settled.set(verdict, { ...verdict, outcome: 'inapplicable' })
    const { presupposes = [] } = verdict
    const before = new Map(presupposes.map((id) => [id, (byClause.get(id) ?? []).map(settle)]))
    const final = weighed(verdict, before)
    settled.set(verdict, final)
    return final
  }
  return verdicts.map(settle)
}

function weighed<Given extends Verdict>(
  verdict: Given,
  before: ReadonlyMap<string, readonly Judged[]>
): Given {
  const { outcome } = verdict
  if (before.size === 0 || unjudged.includes(outcome)) return verdict
  const all = [...before.values()].flat()
  const asked = all.filter((one) => one.outcome !== 'blocked')
  if (asked.length > 0 && asked.every((one) => one.outcome === 'pass')) return verdict
  const missing = [...before].flatMap(([id, those]) => fate(id, those))
  return { ...verdict, outcome: 'inapplicable', because: `it presupposes ${missing.join(' and ')}` }
}

/** What became of a clause that was not shown, in words; nothing of one that was. */
function fate(id: string, verdicts: readonly Judged[]): string[] {
  if (verdicts.length === 0) return [`${id}, which was not asked`]
  const outcomes = new Set(verdicts.map(({ outcome }) => outcome).filter((one) => one !== 'pass'))
  return outcomes.size > 0 ? [`${id}, which was not shown (${[...outcomes].join(', ')})`] : []
}
