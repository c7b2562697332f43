import { levelShifts } from '../statistics/level-shifts.ts'
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

/**
 * In so many histories a shift may be seen that is not there (measured: README); starts of one
 * build differ by a few per cent, and never by more than this as a standard deviation.
 */
export const falseShifts = { level: 0.05, mostLuck: 0.05 }

/** Builds in the order they were compared in, and where they shift. */
export type History = { metric: PairMetric; points: HistoryPoint[]; shifts: HistoryShift[] }

/** Variance of the log of a ratio, by its interval; infinite where that says nothing. */
function varianceOf({ interval }: { interval: [number, number] }, confidence: number): number {
  const [low, high] = interval.map(Math.log) as [number, number]
  const error = (high - low) / (2 * normalQuantile((1 + confidence) / 2))
  return Number.isFinite(error) ? error ** 2 : Infinity
}

/** What one comparison, or several of the same two builds together, say of their difference. */
type Pooled = Pick<HistoryPoint, 'at' | 'build' | 'against' | 'verdict' | 'ratio' | 'interval'> & {
  variance: number
}

/** Several comparisons of the same two builds as one, each as much of it as it is sure. */
function pooled(seen: readonly Pooled[]): Pooled {
  const last = seen.at(-1)!
  if (seen.length === 1) return last
  const weights = seen.map(({ variance }) => 1 / Math.max(1e-12, variance))
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const mean = (value: (one: Pooled) => number) =>
    seen.reduce((total, one, place) => total + value(one) * weights[place]!, 0) / sum
  if (sum === 0) return last
  const centre = mean(({ ratio }) => Math.log(ratio))
  // Runs that differ by more than they say are no surer together than they are apart.
  const apart = mean(({ ratio }) => (Math.log(ratio) - centre) ** 2) / (seen.length - 1)
  const variance = Math.max(1 / sum, apart)
  const reach = seen.map(({ ratio, interval: [low, high], variance: own }) => {
    const wide = (Math.log(high) - Math.log(low)) / 2
    return own > 0 ? (wide / Math.sqrt(own)) * Math.sqrt(variance) : Math.abs(Math.log(ratio))
  })
  const wide = Math.max(...reach.filter(Number.isFinite), 0)
  const interval: [number, number] = [Math.exp(centre - wide), Math.exp(centre + wide)]
  return { ...last, ratio: Math.exp(centre), interval, variance }
}

/** Comparisons of a metric, those of the same two builds as one, in the order of the last one. */
function comparisonsOf(entries: readonly HistoryEntry[], metric: PairMetric): Pooled[] {
  const byPair = new Map<string, Pooled[]>()
  for (const { at, a: against, b: build, verdict, confidence, metrics } of entries) {
    const found = metrics[metric]
    if (found === undefined) continue
    const pair = JSON.stringify([against, build])
    const { ratio, interval } = found
    const variance = varianceOf(found, confidence)
    const one = { at, build, against, verdict, ratio, interval, variance }
    if (!byPair.get(pair)?.push(one)) byPair.set(pair, [one])
  }
  return [...byPair.values()].map(pooled)
}

/** Places of builds on a line, in the order in which they are first named. */
function placesOf(comparisons: readonly Pooled[]): Map<string, number> {
  const places = new Map<string, number>()
  for (const { against, build } of comparisons) {
    for (const name of [against, build]) if (!places.has(name)) places.set(name, places.size)
  }
  return places
}

/** The level of each build: the mean of what those say that it was compared with. */
function levelsOf(comparisons: readonly Pooled[]): Map<string, number> {
  const sums = new Map<string, { weight: number; log: number }>()
  const levels = new Map<string, number>()
  for (const { against, build, ratio, variance } of comparisons) {
    const before = sums.get(build) ?? { weight: 0, log: 0 }
    const weight = 1 / Math.min(1e6, Math.max(1e-12, variance))
    const log = Math.log(levels.get(against) ?? 1) + Math.log(ratio)
    const sum = { weight: before.weight + weight, log: before.log + weight * log }
    sums.set(build, sum)
    levels.set(build, Math.exp(sum.log / sum.weight))
  }
  return levels
}

/** Shifts by the names of builds, and by whether what rises is worse. */
function shiftsIn(comparisons: readonly Pooled[], metric: PairMetric): HistoryShift[] {
  const places = placesOf(comparisons)
  const names = [...places.keys()]
  const contrasts = comparisons.map(({ against, build, ratio, variance }) => {
    const [from, to] = [places.get(against)!, places.get(build)!]
    return { from, to, value: Math.log(ratio), variance }
  })
  const isWorse = (size: number) => size > 0 === (pairMetrics[metric].worse === 'more')
  return levelShifts(contrasts, names.length, falseShifts).map(({ first, last, size }) => ({
    kind: first === last ? 'step' : 'creep',
    way: isWorse(size) ? 'worse' : 'better',
    from: names[first]!,
    to: names[last]!,
    ratio: Math.exp(size)
  }))
}

/**
 * The history of a metric: levels are products of ratios, each build against the one it was
 * compared with, so that machines may change between comparisons as long as they do not within.
 * Comparisons of the same two builds are one. Shifts are looked for in all levels together, by how
 * much comparisons differ from one to the next: how often one is seen that is not there, README.
 */
export function historyOf(entries: readonly HistoryEntry[], metric: PairMetric): History {
  const comparisons = comparisonsOf(entries, metric)
  const levels = levelsOf(comparisons)
  const points = comparisons.map(({ variance: _, ...one }) => {
    return { ...one, level: levels.get(one.build)! }
  })
  return { metric, points, shifts: shiftsIn(comparisons, metric) }
}
