import { type ExperimentalUnit, fewestOf } from '../statistics/centre.ts'
import { hodgesLehmann } from '../statistics/hodges-lehmann.ts'
import { lastingWidening, type TimedBlock } from '../statistics/lasting-noise.ts'
import { median } from '../statistics/quantile.ts'
import type { Block, Trial } from './trial.ts'

/** What of a trial is compared. */
export type PairMetric = 'p50' | 'p90' | 'p99' | 'mean' | 'throughput' | 'cpu' | 'rss'

/** One number of a trial, and which way it is worse. */
type Reading = {
  of: (trial: Trial) => number | null | undefined
  unit: 'µs' | '1/s' | 'µs/request' | 'bytes'
  worse: 'more' | 'less'
}

/** Everything that is compared, and how it is read from a trial. */
export const pairMetrics: Record<PairMetric, Reading> = {
  p50: { of: ({ p50Us }) => p50Us, unit: 'µs', worse: 'more' },
  p90: { of: ({ p90Us }) => p90Us, unit: 'µs', worse: 'more' },
  p99: { of: ({ p99Us }) => p99Us, unit: 'µs', worse: 'more' },
  mean: { of: ({ meanUs }) => meanUs, unit: 'µs', worse: 'more' },
  throughput: { of: ({ perSecond }) => perSecond, unit: '1/s', worse: 'less' },
  cpu: { of: ({ cpuUsPerRequest }) => cpuUsPerRequest, unit: 'µs/request', worse: 'more' },
  rss: { of: ({ rssBytes }) => rssBytes, unit: 'bytes', worse: 'more' }
}

/** A metric of both trials of the pairs in which both could be read. */
export function readings(pairs: Block, metric: PairMetric): { a: number; b: number }[] {
  const { of } = pairMetrics[metric]
  const read = pairs.map((pair) => ({ a: of(pair.a) ?? 0, b: of(pair.b) ?? 0 }))
  return read.filter(({ a, b }) => a > 0 && b > 0)
}

/** By how much B is worse than A, on the log scale, in each pair in which both could be read. */
function ratios(pairs: Block, metric: PairMetric): number[] {
  const sign = pairMetrics[metric].worse === 'more' ? 1 : -1
  return readings(pairs, metric).map(({ a, b }) => sign * Math.log(b / a))
}

/**
 * By how much B is worse than A, on the log scale: one number for each block in which both could
 * be read, the centre of its pairs.
 */
export function differences(blocks: readonly Block[], metric: PairMetric): number[] {
  const each = blocks.map((pairs) => ratios(pairs, metric))
  return each.filter((found) => found.length > 0).map((found) => hodgesLehmann(found))
}

/** The pairs of those differences by block, and when each was begun. */
function timedBlocks(blocks: readonly Block[], metric: PairMetric): TimedBlock[] {
  const each = blocks.map((pairs) =>
    pairs.flatMap((pair) => {
      return ratios([pair], metric).map((value) => ({ atMs: pair.atMs ?? NaN, value }))
    })
  )
  return each.filter((found) => found.length > 0)
}

/** How sure an interval is to be, of what, and by which others before. */
type LastingTerms = {
  level: number
  unit?: ExperimentalUnit | undefined
  before?: readonly Block[] | undefined
}

/**
 * By how much what outlives processes widens an interval for the centre of those differences, as
 * all pairs tell; undefined where there are none, or one does not tell when it was begun.
 */
export function lastingOf(
  blocks: readonly Block[],
  metric: PairMetric,
  { level, unit, before = [] }: LastingTerms
): number | undefined {
  if (unit !== 'processes' || blocks.length < fewestOf(unit, level)) return
  const of = timedBlocks(blocks, metric)
  const all = before.length === 0 ? of : [...timedBlocks(before, metric), ...of]
  const isTold = of.length > 0 && all.flat().every(({ atMs }) => Number.isFinite(atMs))
  return isTold ? lastingWidening({ of, all }, 1 - level) : undefined
}

/**
 * What is a sum over requests, and so seen only in sums: most of many short trials miss a stall
 * that comes once a second, and the centre of their ratios is that of those that miss it.
 */
const sums: Partial<Record<PairMetric, (trial: Trial) => { part: number; whole: number }>> = {
  mean: ({ meanUs, requests }) =>
    typeof meanUs === 'number'
      ? { part: meanUs * requests, whole: requests }
      : { part: 0, whole: 0 },
  throughput: ({ perSecond }) => ({ part: perSecond, whole: 1 })
}

/** Whether a metric is a ratio of sums. */
export const isOfSums = (metric: PairMetric) => sums[metric] !== undefined

/** So many stretches of a comparison are enough to know how sums differ from one to the next. */
const mostStretches = 16

/** A metric of sums over trials. */
export function overall(trials: readonly Trial[], metric: PairMetric): number {
  const each = trials.map(sums[metric]!)
  const total = (of: 'part' | 'whole') => each.reduce((sum, one) => sum + one[of], 0)
  return total('part') / total('whole')
}

/**
 * By how much B is worse than A in a metric of sums, on the log scale: one number for each of at
 * most 16 stretches of blocks in a row.
 */
export function stretchDifferences(blocks: readonly Block[], metric: PairMetric): number[] {
  const sign = pairMetrics[metric].worse === 'more' ? 1 : -1
  const count = Math.min(mostStretches, blocks.length)
  const from = (stretch: number) => Math.round((stretch * blocks.length) / count)
  return Array.from({ length: count }, (_, stretch) => {
    const pairs = blocks.slice(from(stretch), from(stretch + 1)).flat()
    const [a, b] = (['a', 'b'] as const).map((arm) =>
      overall(
        pairs.map((pair) => pair[arm]),
        metric
      )
    )
    return sign * Math.log(b! / a!)
  }).filter(Number.isFinite)
}

/** A trial whose mean is so many times the usual one holds something that others do not. */
const slow = 1.25

/**
 * By how many more slow trials B has than A in each block: seen sooner than in what they sum
 * to.
 */
export function slowTrials(blocks: readonly Block[]): number[] {
  const usual = (arm: 'a' | 'b') =>
    median(blocks.flatMap((pairs) => pairs.flatMap((pair) => pair[arm].meanUs ?? [])))
  const limits = { a: slow * usual('a'), b: slow * usual('b') }
  const isSlow = (trial: Trial, limit: number) => ((trial.meanUs ?? 0) > limit ? 1 : 0)
  return blocks.map((pairs) =>
    pairs.reduce((sum, { a, b }) => sum + isSlow(b, limits.b) - isSlow(a, limits.a), 0)
  )
}

/** A difference as the ratio B/A of the metric itself. */
export function ratioOf(difference: number, metric: PairMetric): number {
  return Math.exp(pairMetrics[metric].worse === 'more' ? difference : -difference)
}
