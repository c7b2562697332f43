import {
  centreInterval,
  centreOf,
  centreP,
  type ExperimentalUnit,
  type KnownOfProcesses
} from '../statistics/centre.ts'
import { holm } from '../statistics/holm.ts'
import type { Looks } from '../statistics/looks.ts'
import { median } from '../statistics/quantile.ts'
import { signedRank } from '../statistics/signed-rank.ts'
import type { Guard } from './pair-guard.ts'
import {
  differences,
  isOfSums,
  overall,
  type PairMetric,
  pairMetrics,
  ratioOf,
  readings,
  slowTrials,
  stretchDifferences
} from './pair-metric.ts'
import { type ShapeChange, shapeChange } from './pair-shape.ts'
import type { Block } from './trial.ts'

/** One metric of both targets; `ratio` is B/A. */
export type MetricRatio = {
  ratio: number
  interval: [low: number, high: number]
  /** Chance of so much where nothing has changed; adjusted for how many metrics are shown. */
  p: number
  /**
   * What both come to, as far apart as the ratio says: halfway between them, on the log scale, lies
   * what is halfway between their medians over pairs that tell both; of means and throughput,
   * unless they gate, between sums over all trials. Percentiles that this would put out of order
   * are each side's medians.
   */
  a: number
  b: number
  unit: string
}

/** How figures are read: which metrics gate, and which guards are judged together. */
export type RatioTerms = {
  gating: readonly PairMetric[]
  looks: Looks
  unit?: ExperimentalUnit | undefined
  budget: number
  /** By how much what outlives processes widens the interval of each that gates. */
  lasting?: Partial<Record<PairMetric, number | undefined>>
  /** All where absent. */
  guards?: readonly Guard[] | undefined
  /** The place at which alone a shape is looked at; and whether it is only looked for so far. */
  beyond?: number | undefined
  isFirst?: boolean
}

const trialsOf = (blocks: readonly Block[], arm: 'a' | 'b') =>
  blocks.flatMap((pairs) => pairs.map((pair) => pair[arm]))

/** An interval of ratios as it is kept; absent where values are too few for one to end. */
export function toldInterval(interval: [low: number, high: number]): [number, number] | undefined {
  const [low, high] = interval
  return low > 0 && high < Infinity ? interval : undefined
}

/** A metric as it is kept. */
export type ToldRatio = Omit<MetricRatio, 'interval'> & { interval?: [low: number, high: number] }

/** Metrics as they are kept. */
export function toldRatios(
  metrics: Partial<Record<PairMetric, MetricRatio>>
): Partial<Record<PairMetric, ToldRatio>> {
  const told = Object.entries(metrics).map(([name, { interval, ...rest }]) => {
    const ends = toldInterval(interval)
    return [name, { ...rest, ...(ends && { interval: ends }) }]
  })
  return Object.fromEntries(told)
}

/** The ends of an interval of differences as ratios B/A, the smaller one first. */
export function ratiosOf(ends: readonly number[], metric: PairMetric): [number, number] {
  const [one, other] = ends.map((end) => ratioOf(end, metric)) as [number, number]
  return one <= other ? [one, other] : [other, one]
}

function metricRatio(
  blocks: readonly Block[],
  metric: PairMetric,
  { gating, looks, unit = 'pair', lasting = {} }: RatioTerms
): MetricRatio | undefined {
  // What gates is judged by its differences; the rest of what is a sum, by its sums.
  const isSum = isOfSums(metric) && !gating.includes(metric)
  const found = isSum ? stretchDifferences(blocks, metric) : differences(blocks, metric)
  if (found.length === 0) return
  const of = isSum ? 'processes' : unit
  // What befalls an arm for seconds befalls all that is read of it.
  const lastingAtLeast = Math.max(1, ...Object.values(lasting).map((one) => one ?? 1))
  const known = gating.includes(metric) ? { lasting: lasting[metric] } : { lastingAtLeast }
  const { low, high } = centreInterval(found, { confidence: 1 - looks.level, unit: of, ...known })
  const ratio = ratioOf(centreOf(found, of), metric)
  const read = readings(blocks.flat(), metric)
  const middle = (arm: 'a' | 'b') =>
    isSum ? overall(trialsOf(blocks, arm), metric) : median(read.map((pair) => pair[arm]))
  // By themselves both hold the weather of their trials, and may differ the other way.
  const halfway = Math.sqrt(middle('a') * middle('b'))
  return {
    ratio,
    interval: ratiosOf([low, high], metric),
    p: isSum && metric === 'mean' ? meanP(blocks, found, known) : centreP(found, of, known),
    a: halfway / Math.sqrt(ratio),
    b: halfway * Math.sqrt(ratio),
    unit: pairMetrics[metric].unit
  }
}

/**
 * The chance of so much in the mean: by sums, or by slow trials, of which a dozen in one arm alone
 * tell more than the mean that they move; twice the smaller, since two are asked. Slow trials of
 * the arm whose mean is lower tell nothing of it.
 */
function meanP(
  blocks: readonly Block[],
  found: readonly number[],
  known: KnownOfProcesses
): number {
  const { greater, less } = signedRank(slowTrials(blocks))
  const slow = 2 * (centreOf(found, 'processes') > 0 ? greater : less)
  return Math.min(1, 2 * Math.min(centreP(found, 'processes', known), slow))
}

const percentiles: readonly PairMetric[] = ['p50', 'p90', 'p99']

/** Has no side a higher percentile below a lower one: what stalls sets them apart by chance. */
function keepInOrder(found: readonly NamedRatio[], blocks: readonly Block[]): void {
  const told = found.filter(({ name }) => percentiles.includes(name))
  const isInOrder = (arm: 'a' | 'b') =>
    told.every(({ ratio }, at) => at === 0 || ratio[arm] >= told[at - 1]!.ratio[arm])
  if (isInOrder('a') && isInOrder('b')) return
  for (const { name, ratio } of told) {
    const read = readings(blocks.flat(), name)
    for (const arm of ['a', 'b'] as const) ratio[arm] = median(read.map((pair) => pair[arm]))
  }
}

type NamedRatio = { name: PairMetric; ratio: MetricRatio }

/** Every metric that could be read, and a change of the shape where there is one that counts. */
export type Ratios = {
  metrics: Partial<Record<PairMetric, MetricRatio>>
  shape?: ShapeChange | undefined
}

/**
 * All of them, with p-values of metrics that do not gate adjusted for each other; in a second look
 * only what was found in the first is asked for, and so adjusted.
 */
export function ratiosAmong(blocks: readonly Block[], terms: RatioTerms): Ratios {
  const { gating, guards, budget, beyond, isFirst } = terms
  const names = Object.keys(pairMetrics) as PairMetric[]
  const found = names.flatMap((name) => {
    const ratio = metricRatio(blocks, name, terms)
    return ratio ? [{ name, ratio }] : []
  })
  keepInOrder(found, blocks)
  const isAsked = (name: Guard) => guards === undefined || guards.includes(name)
  const shape = isAsked('shape') ? shapeChange(blocks, { budget, beyond, isFirst }) : undefined
  const others = found.filter(({ name }) => !gating.includes(name) && isAsked(name))
  const adjusted = holm(others.map(({ ratio }) => ratio.p))
  for (const [index, { ratio }] of others.entries()) ratio.p = adjusted[index]!
  return { metrics: Object.fromEntries(found.map(({ name, ratio }) => [name, ratio])), shape }
}
