import type { Fault } from '../fault.ts'
import type { Evidence } from '../verdict/verdict.ts'
import type { Unit } from './unit.ts'

/** What a thread found out about one clause. */
export type Finding = { clause: string; evidence: Evidence }

/** Says of every clause of a unit that nothing was found out, and why. */
export function nothing(
  unit: Unit,
  outcome: 'blocked' | 'error' | 'inconclusive',
  because: string,
  fault?: Fault
): Finding[] {
  const evidence: Evidence = { kind: 'none', outcome, because, ...(fault && { fault }) }
  return subjects(unit).map((clause) => ({ clause, evidence }))
}

/** What a unit's verdicts are about: its clauses, or itself where it is a load that claims none. */
export function subjects({ clauses, scenario }: Unit): string[] {
  return clauses.length > 0 ? clauses : [scenario]
}
