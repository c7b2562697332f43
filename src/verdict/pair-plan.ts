import { robustDeviation } from '../statistics/deviation.ts'
import { type Looks, pocock } from '../statistics/looks.ts'
import type { Margins } from '../statistics/paired-decision.ts'
import { fewestPairs, pairsNeeded, resolution } from '../statistics/power.ts'

/** What a comparison can tell apart in the time it has, and what it would need for its budget. */
export type PairPlan = {
  looks: Looks
  /** Noise of the pilot's differences, on the log scale. */
  sd: number
  /** Ratio B/A that is told from a clean one in nine of ten comparisons with all blocks taken. */
  resolvable: number
  /** Blocks it takes to say so of the budget. */
  neededBlocks: number
  /** False when even a lucky pilot would not have made the budget decidable. */
  isFeasible: boolean
}

/** A comparison looks at most so often. */
const mostLooks = 5

/** Below so few blocks one wild value more or less decides. */
const firstLook = 8

/** How much of a verdict's errors all looks together may use up, two-sided. */
const overall = 0.05

/** Nine in ten comparisons should find what is said to be findable. */
const power = 0.9

/** A pilot of about a dozen blocks knows the noise to within a third. */
const luck = 2 / 3

/** The looks of a comparison of at most so many blocks: the last, half of it, a quarter … */
export function looksUpTo(most: number): Looks {
  const halved = Array.from({ length: mostLooks }, (_, times) => Math.floor(most / 2 ** times))
  const at = halved.filter((look, times) => times === 0 || look >= firstLook).reverse()
  return pocock(at, overall)
}

/** Plans a comparison of at most `most` blocks from the differences of its first blocks. */
export function planPairs(
  pilot: readonly number[],
  { most, margins }: { most: number; margins: Margins }
): PairPlan {
  const looks = looksUpTo(Math.max(1, most))
  const sd = robustDeviation(pilot)
  const design = { sd, level: looks.level, power }
  const isFeasible =
    most >= fewestPairs(looks.level) &&
    resolution(most, { ...design, sd: sd * luck }) <= margins.budget
  return {
    looks,
    sd,
    resolvable: Math.exp(resolution(most, design)),
    neededBlocks: pairsNeeded(margins.budget, design),
    isFeasible
  }
}
