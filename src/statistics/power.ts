import { normalQuantile } from './normal.ts'

/** An experiment on paired differences: how noisy, and how sure of what it says it has to be. */
export type Design = {
  /** Standard deviation of the differences. */
  sd: number
  /** Two-sided level of the interval. */
  level: number
  /** Chance of telling the effect apart when it is there. */
  power: number
}

/** Efficiency of the signed rank against the mean under normal noise (Hodges & Lehmann, 1956). */
const efficiency = 3 / Math.PI

const spread = ({ sd, level, power }: Design) =>
  ((normalQuantile(power) - normalQuantile(level / 2)) * sd) / Math.sqrt(efficiency)

/** The fewest pairs whose exact signed-rank interval is finite at a two-sided level. */
export function fewestPairs(level: number): number {
  return Math.ceil(1 - Math.log2(level))
}

/**
 * Pairs needed for the signed-rank interval to part an effect from zero, or from a margin when
 * `effect` is the distance to it. Assumes about normal differences; the power then reached was within
 * 3 points of the one asked for at 12 pairs and more. Source: Noether, J. Am. Stat. Assoc. 82 (1987).
 */
export function pairsNeeded(effect: number, design: Design): number {
  return Math.max(fewestPairs(design.level), Math.ceil((spread(design) / effect) ** 2))
}

/** The smallest effect so many pairs can tell apart; infinite below `fewestPairs`. */
export function resolution(pairs: number, design: Design): number {
  return pairs < fewestPairs(design.level) ? Infinity : spread(design) / Math.sqrt(pairs)
}
