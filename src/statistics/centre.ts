import { autocorrelation } from './autocorrelation.ts'
import { mean, standardDeviation } from './deviation.ts'
import { hodgesLehmann } from './hodges-lehmann.ts'
import type { Interval } from './interval.ts'
import { fewestPairs } from './power.ts'
import { signedRank, signedRankInterval } from './signed-rank.ts'
import { studentCdf, studentQuantile } from './student.ts'

/**
 * What a difference was taken from: a pair of trials, of which there are many, or processes that
 * nothing else was measured on, of which there are few.
 */
export type ExperimentalUnit = 'pair' | 'processes'

/** More memory than this cannot be told from so few differences. */
const mostMemory = 0.9

/** Below so few starts of each nothing is known of how much they differ. */
const fewestProcesses = 3

/** The fewest differences that have an interval at a two-sided level. */
export function fewestOf(unit: ExperimentalUnit, level: number): number {
  return unit === 'pair' ? fewestPairs(level) : fewestProcesses
}

/** The centre of differences: Hodges and Lehmann's of pairs, the mean of processes. */
export function centreOf(differences: readonly number[], unit: ExperimentalUnit): number {
  return unit === 'pair' ? hodgesLehmann(differences) : mean(differences)
}

/**
 * By how much an interval is too narrow for differences that resemble their neighbours, if they do
 * so as a first-order autoregression; 1 when they do not.
 */
function widening(differences: readonly number[]): number {
  const found = autocorrelation(differences)
  const memory = Math.min(mostMemory, Math.max(0, Number.isNaN(found) ? 0 : found))
  return Math.sqrt((1 + memory) / (1 - memory))
}

/** Standard error of the mean. */
function errorOf(differences: readonly number[]): number {
  return (standardDeviation(differences) * widening(differences)) / Math.sqrt(differences.length)
}

/**
 * Interval for the centre of differences; infinite when there are too few. Of pairs it is the
 * signed-rank interval. Of processes it is Student's, since that is finite from three on, widened
 * by what neighbours have in common: what disturbs an arm for seconds outlives its processes.
 */
export function centreInterval(
  differences: readonly number[],
  { confidence, unit }: { confidence: number; unit: ExperimentalUnit }
): Interval {
  if (unit === 'pair') return signedRankInterval(differences, confidence)
  const count = differences.length
  if (count < fewestProcesses) return { low: -Infinity, high: Infinity }
  const reach = studentQuantile((1 + confidence) / 2, count - 1) * errorOf(differences)
  const centre = mean(differences)
  return { low: centre - reach, high: centre + reach }
}

/** Student's statistic; NaN of too few, infinite where all are alike and none is zero. */
function studentOf(differences: readonly number[]): number {
  if (differences.length < fewestProcesses) return NaN
  const centre = mean(differences)
  return centre === 0 ? 0 : centre / errorOf(differences)
}

/** The chance of a centre so far from zero, on either side, where nothing differs. */
export function centreP(differences: readonly number[], unit: ExperimentalUnit): number {
  if (unit === 'pair') return signedRank(differences).p
  const t = studentOf(differences)
  return Number.isNaN(t) ? 1 : 2 * studentCdf(-Math.abs(t), differences.length - 1)
}

/** The chance of a centre so far above zero where nothing differs. */
export function centreGreater(differences: readonly number[], unit: ExperimentalUnit): number {
  if (unit === 'pair') return signedRank(differences).greater
  const t = studentOf(differences)
  return Number.isNaN(t) ? 1 : studentCdf(-t, differences.length - 1)
}
