import { centreOf, type ExperimentalUnit, fewestOf } from '../statistics/centre.ts'
import { robustDeviation, standardDeviation } from '../statistics/deviation.ts'
import { type Looks, pocock } from '../statistics/looks.ts'
import type { Margins } from '../statistics/paired-decision.ts'
import { pairsNeeded, resolution } from '../statistics/power.ts'

/** What a comparison can tell apart in the time it has, and what it would need for its budget. */
export type PairPlan = {
  looks: Looks
  /** Noise of the pilot's differences, on the log scale. */
  sd: number
  /** Ratio B/A that is told from a clean one in nine of ten comparisons with all blocks taken. */
  resolvable: number
  /** Blocks it takes to say so of the budget. */
  neededBlocks: number
  /**
   * False when even a lucky pilot would not have made the budget decidable, unless B differs by so
   * much already that neither noise nor the mood of a process comes to it.
   */
  isFeasible: boolean
}

/** A comparison looks at most so often. */
const mostLooks: Record<ExperimentalUnit, number> = { pair: 5, processes: 3 }

/** Below so few blocks one wild value more or less decides. */
const firstLook: Record<ExperimentalUnit, number> = { pair: 8, processes: 5 }

/**
 * How much of a verdict's errors all looks together may use up, two-sided; less of processes, which
 * are few and not all alike in law.
 */
const overall: Record<ExperimentalUnit, number> = { pair: 0.03, processes: 0.02 }

/** Nine in ten comparisons should find what is said to be findable. */
const power = 0.9

/** A pilot of a dozen pairs knows the noise to within a third, one of four blocks hardly. */
const luck: Record<ExperimentalUnit, number> = { pair: 2 / 3, processes: 1 / 3 }

/** Half as much again: the luck of a start is a few per cent, what a neighbour takes a third. */
const far = Math.log(1.5)

/**
 * The looks of a comparison of at most so many blocks: the last, half of it, a quarter …; where
 * `rest` blocks more are to follow, at a level that leaves room for a look at all of them.
 */
export function looksUpTo(
  most: number,
  unit: ExperimentalUnit = 'pair',
  {
    least = firstLook[unit],
    gates = 1,
    rest = 0
  }: { least?: number | undefined; gates?: number; rest?: number } = {}
): Looks {
  const halved = Array.from({ length: mostLooks[unit] }, (_, times) =>
    Math.floor(most / 2 ** times)
  )
  const at = halved.filter((look, times) => times === 0 || look >= least).reverse()
  // Each gate has its share of what all of them may err (Bonferroni).
  const { level } = pocock(rest > 0 ? [...at, most + rest] : at, overall[unit] / gates)
  return { at, level }
}

/** By how much starts of one build are supposed to differ, on the log scale, until it is known. */
const luckOfStart = 0.02

/** Pairs of a start at least: with one, a trial that the machine spoilt would be all there is. */
export const leastPairsOfStart = 2

/** A first block on fresh processes, and the time there is for more. */
export type FirstBlock = {
  pairs: number
  /** Theirs, on the log scale, of those that have one. */
  differences: readonly number[]
  /** What it took before its pairs, and each of these. */
  startMs: number
  pairMs: number
  /** All that blocks may take, and the most one of them may. */
  leftMs: number
  mostMs: number
}

/**
 * How many pairs a block is worth, those of the first or more: by which the least can be told apart
 * in the time left, between few blocks that know themselves well and many that do not. Fresh
 * processes cost seconds each; where pairs are noisy, more of them on the same ones are cheaper.
 * Fewer only where as many take longer than a block may.
 */
export function pairsWorth(first: FirstBlock, gates = 1): number {
  const { pairs, differences, startMs, pairMs, leftMs, mostMs } = first
  const most = Math.max(leastPairsOfStart, Math.floor((mostMs - startMs) / pairMs))
  const least = Math.min(pairs, most)
  const noise = standardDeviation(differences)
  const level = overall.processes / gates
  const told = (pairs: number) => {
    const sd = Math.hypot(luckOfStart, noise / Math.sqrt(pairs))
    const blocks = Math.floor(leftMs / (startMs + pairs * pairMs))
    return resolution(blocks, { sd, level, power, fewest: fewestOf('processes', level) })
  }
  const counts = Array.from({ length: most - least + 1 }, (_, more) => least + more)
  return counts.reduce((best, count) => (told(count) < told(best) ? count : best))
}

/**
 * Plans a comparison of at most `most` blocks, and of `rest` more where nothing is found by then,
 * from the differences of its first blocks.
 */
export function planPairs(
  pilot: readonly number[],
  {
    most,
    rest = 0,
    margins,
    unit = 'pair',
    gates = 1,
    firstLook
  }: {
    most: number
    rest?: number
    margins: Margins
    unit?: ExperimentalUnit
    /** How many metrics gate together. */
    gates?: number
    firstLook?: number
  }
): PairPlan {
  const looks = looksUpTo(Math.max(1, most), unit, { least: firstLook, gates, rest })
  const sd = (unit === 'pair' ? robustDeviation : standardDeviation)(pilot)
  const fewest = fewestOf(unit, looks.level)
  const design = { sd, level: looks.level, power, fewest }
  const lucky = resolution(most + rest, { ...design, sd: sd * luck[unit] })
  const resolved = resolution(most, design)
  // Noise that hides the budget does not hide what is far beyond it.
  const isBeyond = Math.abs(centreOf(pilot, unit)) - resolved >= Math.max(far, margins.budget)
  const isFeasible = most >= fewest && (lucky <= margins.budget || isBeyond)
  return {
    looks,
    sd,
    resolvable: Math.exp(resolved),
    neededBlocks: pairsNeeded(margins.budget, design),
    isFeasible
  }
}
