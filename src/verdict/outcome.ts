/** Everything that can be concluded about a clause; the words are those of the results file. */
export const outcomes = [
  'fail',
  'warning',
  'error',
  'inconclusive',
  'blocked',
  'changed',
  'deviation',
  'observed',
  'pass',
  'inapplicable',
  'untested'
] as const

/** Ordered from worst to best: of two conclusions about one clause the earlier one stands. */
export type Outcome = (typeof outcomes)[number]

/** How often each outcome occurs; an outcome that is missing does not occur. */
export type OutcomeCounts = Partial<Record<Outcome, number>>

/** The part of a verdict that judging adds to what is known before. */
export type Conclusion = {
  outcome: Outcome
  /** What the target did. */
  observed: string
  /** How the one follows from the other, in a sentence. */
  because: string
}
