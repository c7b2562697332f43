import { cusum, type Shift } from '../statistics/cusum.ts'
import { normalQuantile } from '../statistics/normal.ts'
import type { PairVerdict } from './judge-pair.ts'
import { type PairMetric, pairMetrics } from './pair-metric.ts'

/** One comparison of a build with the one before it, as it is kept. */
export type HistoryEntry = {
  schema: 'plimsoll-history/1'
  at: string
  /** Names of the builds, the same from entry to entry. */
  a: string
  b: string
  verdict: PairVerdict
  /** What the verdict is about; the others were measured along with it. */
  metric: PairMetric
  /** B/A of each metric, and an interval for it. */
  metrics: Partial<Record<PairMetric, { ratio: number; interval: [low: number, high: number] }>>
  /** How sure the intervals are, such as 0.98. */
  confidence: number
  host: string
}

/** One build of a history. */
export type HistoryPoint = {
  at: string
  build: string
  against: string
  ratio: number
  interval: [low: number, high: number]
  /** The metric relative to the first build that this one goes back to. */
  level: number
  verdict: PairVerdict
}

/** Where a history shifts, to be looked at; it decides nothing. */
export type HistoryShift = {
  /** `step`: one build did it; `creep`: several did, none of them enough to be seen by itself. */
  kind: 'step' | 'creep'
  way: 'worse' | 'better'
  /** The first and the last build of it. */
  from: string
  to: string
  /** What they did together. */
  ratio: number
}

/** Builds in the order they were compared in, and where they shift. */
export type History = { metric: PairMetric; points: HistoryPoint[]; shifts: HistoryShift[] }

/** How far a ratio is from 1 in its own standard errors, above zero where it is worse. */
function standardized({ ratio, interval }: HistoryPoint, metric: PairMetric, z: number): number {
  const [low, high] = interval.map(Math.log) as [number, number]
  const error = (high - low) / (2 * z)
  const sign = pairMetrics[metric].worse === 'more' ? 1 : -1
  return error > 0 && Number.isFinite(error) ? (sign * Math.log(ratio)) / error : 0
}

/** Share of a change of several builds that one of them made. */
const moved = ({ ratio }: HistoryPoint, whole: number) => Math.log(ratio) / Math.log(whole)

/**
 * Shifts of the series, by a chart that begins anew after each: sums of what every build added
 * find a step where it happens, and a creep of changes too small to be seen one by one. Of builds
 * that change nothing, one chart in 465 builds sees a shift.
 */
function shiftsIn(points: readonly HistoryPoint[], worse: readonly number[]): HistoryShift[] {
  const shifts: HistoryShift[] = []
  for (let from = 0; from < points.length; ) {
    const shift = firstShift(worse, from)
    if (!shift) break
    const those = points.slice(from + shift.since, from + shift.at + 1)
    shifts.push(shiftOf(those, shift.side))
    from += shift.at + 1
  }
  return shifts
}

/** The first shift from a place on, looked for in ever longer parts: most are near. */
function firstShift(worse: readonly number[], from: number): Shift | undefined {
  for (let length = 64; ; length *= 2) {
    const { shift } = cusum(worse.slice(from, from + length), { level: 0, sd: 1 })
    if (shift || from + length >= worse.length) return shift
  }
}

/** What builds that shift a history together did. */
function shiftOf(those: readonly HistoryPoint[], side: Shift['side']): HistoryShift {
  const ratio = those.reduce((product, one) => product * one.ratio, 1)
  const [most] = those.toSorted((one, other) => moved(other, ratio) - moved(one, ratio))
  const isStep = moved(most!, ratio) > 0.5
  const part = isStep ? [most!] : those
  return {
    kind: isStep ? 'step' : 'creep',
    way: side === 'up' ? 'worse' : 'better',
    from: part[0]!.build,
    to: part.at(-1)!.build,
    ratio: isStep ? most!.ratio : ratio
  }
}

/**
 * The history of a metric: levels are products of ratios, each build against the one it was
 * compared with, so that machines may change between comparisons as long as they do not within.
 */
export function historyOf(entries: readonly HistoryEntry[], metric: PairMetric): History {
  const levels = new Map<string, number>()
  const errors: number[] = []
  const points = entries.flatMap((entry): HistoryPoint[] => {
    const found = entry.metrics[metric]
    if (found === undefined) return []
    const { at, a: against, b: build, verdict, confidence } = entry
    const level = (levels.get(against) ?? 1) * found.ratio
    levels.set(build, level)
    const point = { at, build, against, ...found, level, verdict }
    errors.push(standardized(point, metric, normalQuantile((1 + confidence) / 2)))
    return [point]
  })
  return { metric, points, shifts: shiftsIn(points, errors) }
}
