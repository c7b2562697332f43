import type { Report, VerdictRecord } from './record.ts'

/**
 * Tells a verdict that a load which claims no clause has about itself, and whose clause is its
 * scenario, from one about a clause that is called as its scenario is: by what the scenarios of the
 * document claim. A run of an older version does not tell, and the names have to do.
 */
export function isOwnIn(
  plan: Report['plan']
): (verdict: Pick<VerdictRecord, 'scenario' | 'clause'>) => boolean {
  const claiming = new Set(plan?.flatMap(({ id, clauses = [] }) => (clauses.length > 0 ? id : [])))
  return ({ scenario, clause }) => clause === scenario && !claiming.has(scenario)
}
