import { normalQuantile } from './normal.ts'

/** An experiment on paired differences: how noisy, and how sure of what it says it has to be. */
export type Design = {
  /** Standard deviation of the differences. */
  sd: number
  /** Two-sided level of the interval. */
  level: number
  /** Chance of telling the effect apart when it is there. */
  power: number
  /** The fewest pairs that have an interval; those of the signed rank unless given. */
  fewest?: number
}

/** Efficiency of the signed rank against the mean under normal noise (Hodges & Lehmann, 1956). */
const efficiency = 3 / Math.PI

/** Effect over root of pairs, if the noise were known beforehand. */
const spread = ({ sd, level, power }: Design) =>
  ((normalQuantile(power) - normalQuantile(level / 2)) * sd) / Math.sqrt(efficiency)

/** Pairs that are used up by having to judge the noise from the same pairs (Guenther, 1981). */
const usedUp = ({ level }: Design) => normalQuantile(level / 2) ** 2 / 2

/** The fewest pairs whose exact signed-rank interval is finite at a two-sided level. */
export function fewestPairs(level: number): number {
  return Math.ceil(1 - Math.log2(level))
}

const leastOf = ({ level, fewest = fewestPairs(level) }: Design) => fewest

/**
 * Pairs needed for the signed-rank interval to part an effect from zero, or from a margin when
 * `effect` is the distance to it. Assumes about normal differences; the power reached is in the
 * README. Sources: Noether, J. Am. Stat. Assoc. 82 (1987); Guenther, Am. Stat. 35 (1981).
 */
export function pairsNeeded(effect: number, design: Design): number {
  const pairs = (spread(design) / effect) ** 2 + usedUp(design)
  return Math.max(leastOf(design), Math.ceil(pairs))
}

/** The smallest effect so many pairs can tell apart; infinite below the fewest. */
export function resolution(pairs: number, design: Design): number {
  if (pairs < leastOf(design)) return Infinity
  return spread(design) / Math.sqrt(Math.max(pairs / 4, pairs - usedUp(design)))
}

/** A series of values measured at even distances in time, and how sure its slope has to be. */
export type Series = {
  /** Standard deviation of the values about their line. */
  sd: number
  /** Share of its distance from the line that the next value keeps, 0 to 1. */
  memory: number
  /** Time between values. */
  spacing: number
  confidence: number
  power: number
}

/**
 * How long a series must be for its slope to be told apart from zero, or from a margin when `slope`
 * is the distance to it. It falls with the cube root only: half the slope takes 1.6 times as long.
 * Assumes noise that forgets like a first-order autoregression. Source: variance of a least-squares
 * slope.
 */
export function spanNeeded(
  slope: number,
  { sd, memory, spacing, confidence, power }: Series
): number {
  const z = normalQuantile((1 + confidence) / 2) + normalQuantile(power)
  const longRun = (sd * sd * (1 + memory)) / (1 - memory)
  return Math.cbrt(12 * longRun * spacing * (z / slope) ** 2)
}
