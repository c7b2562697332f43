import { percent } from '../number.ts'
import {
  centreGreater,
  centreInterval,
  centreOf,
  centreP,
  type ExperimentalUnit
} from '../statistics/centre.ts'
import { holm } from '../statistics/holm.ts'
import type { Looks } from '../statistics/looks.ts'
import { type Margins, type PairedDecision, pairedDecision } from '../statistics/paired-decision.ts'
import { median } from '../statistics/quantile.ts'
import { signedRank } from '../statistics/signed-rank.ts'
import { type Guarded, guardedWorse } from './pair-guard.ts'
import {
  differences,
  isOfSums,
  overall,
  type PairMetric,
  pairMetrics,
  ratioOf,
  slowTrials,
  stretchDifferences
} from './pair-metric.ts'
import type { Block, Trial } from './trial.ts'

export type { ExperimentalUnit } from '../statistics/centre.ts'

/** What is concluded of B against A. */
export type PairVerdict =
  | 'regressed'
  | 'slower-within-budget'
  | 'no-regression'
  | 'improved'
  | 'inconclusive'

/** One metric of both targets; `ratio` is B/A. */
export type MetricRatio = {
  ratio: number
  interval: [low: number, high: number]
  /** Chance of so much where nothing has changed; adjusted for how many metrics are shown. */
  p: number
  /** Medians over all trials; of means and throughput, sums over them, unless they gate. */
  a: number
  b: number
  unit: string
}

/** Shares of requests that failed. */
export type ErrorShares = { a: number; b: number }

/** What the blocks so far say; `continue` between looks. */
export type PairConclusion = {
  verdict: PairVerdict | 'continue'
  because: string
  /** B/A of the gating metric. */
  ratio: number
  interval: [low: number, high: number]
  blocks: number
  /** While continuing, blocks to the next look; when inconclusive, how many more would do. */
  furtherBlocks: number
  metrics: Partial<Record<PairMetric, MetricRatio>>
  errors: ErrorShares
  /** Which way B differs from A beyond doubt, by however little. */
  differs?: 'worse' | 'better'
  /** What is worse though the gating metric is not: why it is `regressed` all the same. */
  worse?: Guarded
}

/** On what a comparison decides, and when. */
export type PairTerms = {
  metric: PairMetric
  looks: Looks
  margins: Margins
  /** What a block is: a pair of trials on the same processes unless given. */
  unit?: ExperimentalUnit
}

/** B may fail this much more often before it counts, however sure that is. */
const errorBudget = 0.001

const trialsOf = (blocks: readonly Block[], arm: 'a' | 'b') =>
  blocks.flatMap((pairs) => pairs.map((pair) => pair[arm]))

function failureShare(trials: readonly Trial[]): number {
  const sum = (of: (trial: Trial) => number) =>
    trials.reduce((total, trial) => total + of(trial), 0)
  const requests = sum((trial) => trial.requests)
  return requests === 0 ? 0 : sum(({ failures }) => failures) / requests
}

/** The ends of an interval of differences as ratios B/A, the smaller one first. */
function ratiosOf(ends: readonly number[], metric: PairMetric): [number, number] {
  const [one, other] = ends.map((end) => ratioOf(end, metric)) as [number, number]
  return one <= other ? [one, other] : [other, one]
}

function metricRatio(
  blocks: readonly Block[],
  metric: PairMetric,
  { metric: gating, looks, unit = 'pair' }: PairTerms
): MetricRatio | undefined {
  // What gates is judged by its differences; the rest of what is a sum, by its sums.
  const isSum = isOfSums(metric) && metric !== gating
  const found = isSum ? stretchDifferences(blocks, metric) : differences(blocks, metric)
  if (found.length === 0) return
  const of = isSum ? 'processes' : unit
  const reading = pairMetrics[metric]
  const { low, high } = centreInterval(found, { confidence: 1 - looks.level, unit: of })
  const middle = (arm: 'a' | 'b') =>
    isSum
      ? overall(trialsOf(blocks, arm), metric)
      : median(trialsOf(blocks, arm).flatMap((trial) => reading.of(trial) ?? []))
  return {
    ratio: ratioOf(centreOf(found, of), metric),
    interval: ratiosOf([low, high], metric),
    p: isSum && metric === 'mean' ? meanP(blocks, found) : centreP(found, of),
    a: middle('a'),
    b: middle('b'),
    unit: reading.unit
  }
}

/**
 * The chance of so much in the mean: by sums, or by slow trials, of which a dozen in one arm alone
 * tell more than the mean that they move; twice the smaller, since two are asked. Slow trials of
 * the arm whose mean is lower tell nothing of it.
 */
function meanP(blocks: readonly Block[], found: readonly number[]): number {
  const { greater, less } = signedRank(slowTrials(blocks))
  const slow = 2 * (centreOf(found, 'processes') > 0 ? greater : less)
  return Math.min(1, 2 * Math.min(centreP(found, 'processes'), slow))
}

/** Every metric that could be read, with the p-values of all but the gating one adjusted. */
function metricRatios(blocks: readonly Block[], terms: PairTerms): PairConclusion['metrics'] {
  const names = Object.keys(pairMetrics) as PairMetric[]
  const found = names.flatMap((name) => {
    const ratio = metricRatio(blocks, name, terms)
    return ratio ? [{ name, ratio }] : []
  })
  const others = found.filter(({ name }) => name !== terms.metric)
  const adjusted = holm(others.map(({ ratio }) => ratio.p))
  for (const [index, { ratio }] of others.entries()) ratio.p = adjusted[index]!
  return Object.fromEntries(found.map(({ name, ratio }) => [name, ratio]))
}

/** Whether B surely fails more often than A, and by more than is nothing. */
export function failsMore(
  blocks: readonly Block[],
  { level, unit = 'pair' }: { level: number; unit?: ExperimentalUnit | undefined }
): boolean {
  const more = blocks.map(
    (pairs) => failureShare(pairs.map(({ b }) => b)) - failureShare(pairs.map(({ a }) => a))
  )
  const greater = centreGreater(more, unit)
  const errors = { a: failureShare(trialsOf(blocks, 'a')), b: failureShare(trialsOf(blocks, 'b')) }
  return errors.b - errors.a > errorBudget && greater < level / 2
}

const reasons: Record<PairVerdict | 'continue', string> = {
  regressed: 'B is surely worse, and at best estimate by no less than the budget',
  'slower-within-budget': 'B is surely worse, and surely by less than the budget',
  'no-regression': 'B is surely not worse by as much as the budget',
  improved: 'B is surely better, and at best estimate by no less than the budget',
  inconclusive: 'the interval still reaches across the budget',
  continue: 'the next look is not due yet'
}

/**
 * Judges the blocks so far by the terms. A B that surely fails more often has regressed, whatever
 * its latencies: a refusal is a fast answer.
 */
export function judgePair(blocks: readonly Block[], terms: PairTerms): PairConclusion {
  const { metric, looks, margins } = terms
  const found = differences(blocks, metric)
  const isLast = blocks.length >= looks.at.at(-1)!
  // Blocks in which nothing could be read leave fewer differences than there are looks.
  const due = looks.at.includes(blocks.length) || isLast
  const at = due ? [found.length] : [found.length + 1]
  const decision = pairedDecision(found, { level: looks.level, at }, margins, terms.unit)
  const isOpen = decision.verdict === 'inconclusive' && !isLast
  const errors = { a: failureShare(trialsOf(blocks, 'a')), b: failureShare(trialsOf(blocks, 'b')) }
  const common = {
    ratio: ratioOf(decision.estimate, metric),
    interval: ratiosOf([decision.interval.low, decision.interval.high], metric),
    blocks: blocks.length,
    metrics: metricRatios(blocks, terms),
    errors,
    differs: wayOf(decision, margins)
  }
  if (due && failsMore(blocks, { level: looks.level, unit: terms.unit })) {
    const because = `${percent(errors.b)} of B's requests failed, ${percent(errors.a)} of A's`
    return { verdict: 'regressed', because, furtherBlocks: 0, ...common }
  }
  const guard = { gating: metric, budget: margins.budget, level: looks.level }
  const isTold = due && Number.isFinite(decision.interval.high)
  const worse = isTold ? guardedWorse(common.metrics, guard) : undefined
  if (worse !== undefined && decision.verdict !== 'regressed') {
    return { verdict: 'regressed', because: worse.because, furtherBlocks: 0, ...common, worse }
  }
  const verdict = isOpen ? 'continue' : decision.verdict
  const nextLook = looks.at.find((look) => look > blocks.length) ?? 0
  const furtherBlocks = verdict === 'continue' ? nextLook - blocks.length : decision.furtherPairs
  return { verdict, because: reasons[verdict], furtherBlocks, ...common }
}

function wayOf({ interval }: PairedDecision, { nothing }: Margins): PairConclusion['differs'] {
  if (interval.low > nothing) return 'worse'
  return interval.high < -nothing ? 'better' : undefined
}

/** What has to be seen twice, and which way it says that B differs. */
const twice: Partial<Record<PairConclusion['verdict'], PairConclusion['differs']>> = {
  regressed: 'worse',
  improved: 'better'
}

/** Whether a verdict is one that counts only when it was seen again. */
export const isToBeConfirmed = ({ verdict }: PairConclusion) => twice[verdict] !== undefined

/** What was seen once, in words. */
export function lookOf({ verdict, because }: PairConclusion): string {
  if (verdict === 'improved') return 'B looked faster by the budget'
  return because === reasons.regressed
    ? 'B looked slower by the budget'
    : `B looked worse (${because})`
}

/**
 * Whether fresh blocks show what was seen at first: the gate to differ the same way, more failures,
 * or a metric beside the gate to be worse that was so before. Anything else is another finding,
 * which was not seen twice either.
 */
function isSeenAgain(first: PairConclusion, fresh: PairConclusion): boolean {
  const isSame = fresh.verdict === first.verdict
  if (isSame && fresh.worse === undefined) return true
  if (first.worse !== undefined) {
    const before = first.worse.metrics
    return isSame && fresh.worse!.metrics.some((metric) => before.includes(metric))
  }
  return (isSame || fresh.verdict === 'inconclusive') && fresh.differs === twice[first.verdict]
}

/**
 * Judges a regression, or an improvement, by what was measured again on fresh connections or
 * processes, and by both together: it counts when fresh blocks show the same, and all of them that
 * it is so by the budget.
 */
export function judgeAgain(
  first: PairConclusion,
  fresh: PairConclusion,
  pooled: PairConclusion
): PairConclusion {
  if (isSeenAgain(first, fresh) && pooled.verdict === first.verdict) return pooled
  const because = `${lookOf(first)} at first, and not again when all was made anew`
  return { ...pooled, verdict: 'inconclusive', because }
}

/** The gating metric's B/A so far, and its interval: cheap enough to be asked after every block. */
export function runningRatio(
  blocks: readonly Block[],
  { metric, looks, unit = 'pair' }: PairTerms
): Pick<PairConclusion, 'ratio' | 'interval'> {
  const found = differences(blocks, metric)
  const { low, high } = centreInterval(found, { confidence: 1 - looks.level, unit })
  return { ratio: ratioOf(centreOf(found, unit), metric), interval: ratiosOf([low, high], metric) }
}
