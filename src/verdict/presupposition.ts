import type { Outcome } from './outcome.ts'
import type { Verdict } from './verdict.ts'

/** Outcomes that say what became of the asking, and not whether the clause is true. */
const unjudged: readonly Outcome[] = [
  ...(['error', 'blocked', 'observed', 'changed', 'inapplicable', 'untested'] as const)
]

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
 * asked, or was only observed, stays what it is. Where a scenario judges both, its own word on what
 * is presupposed counts, and not that of others.
 */
export function inLight<Given extends Verdict>(
  verdicts: readonly Given[],
  among: readonly Given[] = verdicts
): Given[] {
  const byClause = Map.groupBy(among, ({ clause }) => clause)
  const fates = new Map<string, Set<Outcome>>()
  const note = (key: string, outcome: Outcome) =>
    void fates.set(key, (fates.get(key) ?? new Set()).add(outcome))
  const fateOf = (id: string, scenario: string): ReadonlySet<Outcome> => {
    if (!byClause.has(id)) return new Set()
    // One that has no fate when it is its turn presupposes itself, and is not shown.
    return fates.get(`${id} ${scenario}`) ?? fates.get(id) ?? new Set(['inapplicable'])
  }
  for (const those of inOrder(byClause)) {
    const outcomes = those.map((one) => weighed(one, fateOf).outcome)
    for (const [index, { clause, scenario }] of those.entries())
      for (const key of [clause, `${clause} ${scenario}`]) note(key, outcomes[index]!)
  }
  return verdicts.map((one) => weighed(one, fateOf))
}

/** Verdicts by clause, each clause after what it presupposes; those in a circle come last. */
function inOrder<Given extends Verdict>(byClause: ReadonlyMap<string, Given[]>): Given[][] {
  const missing = new Map<string, number>()
  const dependents = new Map<string, string[]>()
  for (const [id, those] of byClause) {
    const before = new Set(those.flatMap(({ presupposes = [] }) => presupposes))
    const present = [...before].filter((one) => byClause.has(one))
    missing.set(id, present.length)
    for (const one of present) {
      const known = dependents.get(one) ?? []
      known.push(id)
      dependents.set(one, known)
    }
  }
  const order = new Set([...byClause.keys()].filter((id) => missing.get(id) === 0))
  for (const id of order) {
    for (const one of dependents.get(id) ?? []) {
      missing.set(one, missing.get(one)! - 1)
      if (missing.get(one) === 0) order.add(one)
    }
  }
  const all = new Set([...order, ...byClause.keys()])
  return [...all].map((id) => byClause.get(id)!)
}

function weighed<Given extends Verdict>(
  verdict: Given,
  fateOf: (id: string, scenario: string) => ReadonlySet<Outcome>
): Given {
  const { scenario, outcome, presupposes = [] } = verdict
  if (presupposes.length === 0 || unjudged.includes(outcome)) return verdict
  const fates = presupposes.map((id) => [id, fateOf(id, scenario)] as const)
  const asked = fates.flatMap(([, fate]) => [...fate]).filter((one) => one !== 'blocked')
  if (asked.length > 0 && asked.every((one) => one === 'pass')) return verdict
  const missing = fates.flatMap(([id, fate]) => shortfall(id, fate))
  return { ...verdict, outcome: 'inapplicable', because: `it presupposes ${missing.join(' and ')}` }
}

/** What became of a clause that was not shown, in words; nothing of one that was. */
function shortfall(id: string, fate: ReadonlySet<Outcome>): string[] {
  if (fate.size === 0) return [`${id}, which was not asked`]
  const others = [...fate].filter((one) => one !== 'pass')
  return others.length > 0 ? [`${id}, which was not shown (${others.join(', ')})`] : []
}
