import type { Exchange } from '../client/reply.ts'
import type { Fault } from '../fault.ts'
import type { Boundary } from '../limit/boundary.ts'
import type { Limit } from '../limit/limit.ts'
import type { LoadSummary } from '../load/figures/summary.ts'
import type { Capacity } from './capacity.ts'
import type { CommandEvidence } from './command-found.ts'
import type { FinalSilence } from './final-silence.ts'
import type { RateDemand } from './judge-capacity.ts'
import type { DriftTerms } from './judge-drift.ts'
import type { Objectives, Slower } from './judge-load.ts'
import { type Outcome, outcomes } from './outcome.ts'
import type { Stretch } from './stretch.ts'

/** How many clauses of a document came out how; the last four add up to `clauses`. */
export type Coverage = {
  clauses: number
  judged: number
  observed: number
  /** Asked about without a conclusion: blocked, inconclusive, in error, or it does not apply. */
  undecided?: number
  untested: number
}

/** What is concluded about one clause, and why. */
export type Verdict = {
  scenario: string
  clause: string
  outcome: Outcome
  /** What the document says. */
  documented: string
  /** Whether the clause is advice drawn from the document, which it does not state itself. */
  derived?: boolean
  /** What the target did. */
  observed: string
  /** How the one follows from the other, in a sentence. */
  because: string
  /** What it rests on; enough to judge again, with the verdicts about what it presupposes. */
  evidence: Evidence
  /** Ids of the clauses without which this one says nothing; absent where there are none. */
  presupposes?: readonly string[]
  ms: number
}

/** Outcomes that say a target does not do what its document says, or what follows from it. */
export const contradicting: readonly Outcome[] = ['fail', 'warning']

/** The worse of two outcomes. */
export function worse(one: Outcome, other: Outcome): Outcome {
  return outcomes.indexOf(one) <= outcomes.indexOf(other) ? one : other
}

/** One thing a check saw; where the document is silent nothing is judged: `holds` is undefined. */
export type Observation = {
  clause: string
  holds?: boolean
  /** Whether every exchange it rests on is evidence; if not, nothing can be concluded. */
  answered: boolean
  /** Why nothing can be concluded, where it is known better than by what was not answered. */
  doubt?: string
  observed: string
  exchanges: Exchange[]
}

/** What one unit of work brings home, as plain data, to be judged now or later. */
export type Evidence =
  | { kind: 'boundary'; limit: Limit; boundaries: { variant: string; boundary: Boundary }[] }
  | { kind: 'observations'; attempts: Observation[][] }
  | {
      kind: 'load'
      objectives: Objectives
      summary: LoadSummary
      broken: string[]
      slower?: Slower
      silence?: FinalSilence | undefined
    }
  | { kind: 'capacity'; demand: RateDemand; found: Capacity }
  | { kind: 'soak'; terms: DriftTerms; stretches: readonly Stretch[] }
  | CommandEvidence
  | {
      kind: 'none'
      outcome: 'blocked' | 'error' | 'inconclusive' | 'untested'
      because: string
      /** What the scenario's own code threw, where that is why. */
      fault?: Fault
    }
