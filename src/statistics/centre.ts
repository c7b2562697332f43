import { autocorrelation } from './autocorrelation.ts'
import { mean } from './deviation.ts'
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

/** What is left of each without the centre of all. */
function residuals(differences: readonly number[]): number[] {
  const centre = mean(differences)
  return differences.map((value) => value - centre)
}

/** What is known of differences of processes besides themselves. */
export type KnownOfProcesses = {
  /** Others before these: how much starts differ is told by all of them. */
  before?: readonly number[] | undefined
  /** By how much what outlives processes widens an interval, where their pairs told it. */
  lasting?: number | undefined
  /** The same of another metric: what neighbours have in common may widen it by more. */
  lastingAtLeast?: number | undefined
}

/**
 * Standard error of the mean, and its degrees of freedom; others before may vary as these do,
 * about a centre of their own.
 */
function errorOf(
  differences: readonly number[],
  { before = [], lasting, lastingAtLeast = 1 }: KnownOfProcesses
) {
  const left = [...residuals(before), ...residuals(differences)]
  const freedom = left.length - (before.length > 0 ? 2 : 1)
  const variance = left.reduce((sum, value) => sum + value ** 2, 0) / freedom
  const factor = lasting ?? Math.max(lastingAtLeast, widening(left))
  return { error: factor * Math.sqrt(variance / differences.length), freedom }
}

/** How sure an interval is to be, and of what. */
export type IntervalTerms = KnownOfProcesses & { confidence: number; unit: ExperimentalUnit }

/**
 * Interval for the centre of differences; infinite when there are too few. Of pairs it is the
 * signed-rank interval. Of processes it is Student's, since that is finite from three on, widened
 * by what outlives them.
 */
export function centreInterval(
  differences: readonly number[],
  { confidence, unit, ...known }: IntervalTerms
): Interval {
  if (unit === 'pair') return signedRankInterval(differences, confidence)
  if (differences.length < fewestProcesses) return { low: -Infinity, high: Infinity }
  const { error, freedom } = errorOf(differences, known)
  const reach = studentQuantile((1 + confidence) / 2, freedom) * error
  const centre = mean(differences)
  return { low: centre - reach, high: centre + reach }
}

/** Student's statistic; NaN of too few, infinite where all are alike and none is zero. */
function studentOf(differences: readonly number[], known: KnownOfProcesses = {}): number {
  if (differences.length < fewestProcesses) return NaN
  const centre = mean(differences)
  return centre === 0 ? 0 : centre / errorOf(differences, known).error
}

/** The chance of a centre so far from zero, on either side, where nothing differs. */
export function centreP(
  differences: readonly number[],
  unit: ExperimentalUnit,
  known?: KnownOfProcesses
): number {
  if (unit === 'pair') return signedRank(differences).p
  const t = studentOf(differences, known)
  return Number.isNaN(t) ? 1 : 2 * studentCdf(-Math.abs(t), differences.length - 1)
}

/** The chance of a centre so far above zero where nothing differs. */
export function centreGreater(differences: readonly number[], unit: ExperimentalUnit): number {
  if (unit === 'pair') return signedRank(differences).greater
  const t = studentOf(differences)
  return Number.isNaN(t) ? 1 : studentCdf(-t, differences.length - 1)
}
