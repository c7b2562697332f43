import { percent } from '../number.ts'
import type { ExperimentalUnit } from '../statistics/centre.ts'
import type { Looks } from '../statistics/looks.ts'
import type { Margins } from '../statistics/paired-decision.ts'
import { median } from '../statistics/quantile.ts'
import { otherAnswers } from './pair-answers.ts'
import { type ErrorShares, errorsOf, failsMore, failuresText } from './pair-errors.ts'
import {
  type BlocksBefore,
  decisive,
  type Gate,
  type GateConclusion,
  judgeGate,
  runningGate
} from './pair-gate.ts'
import { type Guard, type Guarded, guardedWorse } from './pair-guard.ts'
import type { PairMetric } from './pair-metric.ts'
import { type MetricRatio, ratiosAmong } from './pair-ratios.ts'
import type { ShapeChange } from './pair-shape.ts'
import { unseenOf } from './pair-unseen.ts'
import type { Block } from './trial.ts'

export type { ExperimentalUnit } from '../statistics/centre.ts'
export { failsMore } from './pair-errors.ts'
export type { Gate } from './pair-gate.ts'
export type { MetricRatio } from './pair-ratios.ts'

/** What is concluded of B against A. */
export type PairVerdict =
  | 'regressed'
  | 'slower-within-budget'
  | 'no-regression'
  | 'improved'
  | 'inconclusive'

/** What the blocks so far say; `continue` between looks. */
export type PairConclusion = {
  verdict: PairVerdict | 'continue'
  because: string
  /** B/A of the metric that decides: the first of those that gate, or of them the worst. */
  ratio: number
  interval: [low: number, high: number]
  blocks: number
  /** While continuing, blocks to the next look; when inconclusive, how many more would do. */
  furtherBlocks: number
  metrics: Partial<Record<PairMetric, MetricRatio>>
  errors: ErrorShares
  /** Each metric that gates, the first one first. */
  gates: GateConclusion[]
  /** Which way B differs from A beyond doubt in the one that decides, by however little. */
  differs?: GateConclusion['differs']
  /** What is worse though no gate is: why it is `regressed` all the same. */
  worse?: Guarded
  /** What else is surely worse where a gate is. */
  besides?: readonly Guard[]
  /** Where more of B's requests take a multiple of the median, surely or not; absent elsewhere. */
  shape?: ShapeChange | undefined
  /** As in `Trial`, of each side, where its processes are ours. */
  waited?: { a: number; b: number } | undefined
  /** How B's answers differ from A's, in words; absent where they do not. */
  answers?: string | undefined
  /** What this cannot have seen, in words. */
  unseen: string[]
}

/** On what a comparison decides, and when. */
export type PairTerms = {
  metric: PairMetric
  looks: Looks
  margins: Margins
  /** What gates besides `metric`, each by margins of its own; `looks` are for all together. */
  also?: readonly Gate[] | undefined
  /** What a block is: a pair of trials on the same processes unless given. */
  unit?: ExperimentalUnit
  /** In a second look of starts, those of the first, and at what level gates are judged by all. */
  before?: BlocksBefore
  /** What is judged beside the gates: in a second look what was found in the first; else all. */
  guards?: readonly Guard[] | undefined
  /**
   * A change of shape is told at the level of the looks unless given; at the last look it may be a
   * suspicion at another one. `beyond` is where alone it is looked for, `isFirst` that it will be
   * seen again.
   */
  shape?: { level: number; beyond?: number; isFirst?: true }
}

/** Why, by a gate's metric and its budget. */
const reasons: Record<PairVerdict | 'continue', (metric: string, budget: string) => string> = {
  regressed: (metric, budget) =>
    `B's ${metric} is surely worse, and at best estimate by no less than its budget of ${budget}`,
  'slower-within-budget': (metric, budget) =>
    `B's ${metric} is surely worse, and surely by less than its budget of ${budget}`,
  'no-regression': (metric, budget) =>
    `B's ${metric} is surely not worse by as much as its budget of ${budget}`,
  improved: (metric, budget) =>
    `B's ${metric} is surely better, and at best estimate by no less than its budget of ${budget}`,
  inconclusive: (metric, budget) =>
    `the interval of ${metric} still reaches across its budget of ${budget}`,
  continue: () => 'the next look is not due yet'
}

/** Whether a verdict says that nothing is worse than it may be. */
export const isPassing = ({ verdict }: Pick<PairConclusion, 'verdict'>) =>
  verdict === 'no-regression' || verdict === 'slower-within-budget'

/** All that gates, the first one first. */
const gatesOf = ({ metric, margins, also = [] }: PairTerms): Gate[] => [
  { metric, margins },
  ...also
]

/** The median of each side's trials; undefined where one has none that tells. */
function waitedOf(blocks: readonly Block[]): PairConclusion['waited'] {
  const told = (arm: 'a' | 'b') =>
    blocks.flatMap((pairs) => pairs.flatMap((pair) => pair[arm].waited ?? []))
  const [a, b] = [told('a'), told('b')]
  return a.length > 0 && b.length > 0 ? { a: median(a), b: median(b) } : undefined
}

/**
 * Judges the blocks so far by the terms. A B that surely fails more often has regressed, whatever
 * its latencies: a refusal is a fast answer. So has one that is surely worse in what does not gate.
 */
export function judgePair(blocks: readonly Block[], terms: PairTerms): PairConclusion {
  const { looks, margins, unit, guards, before } = terms
  const isDue = looks.at.includes(blocks.length) || blocks.length >= looks.at.at(-1)!
  const asked = gatesOf(terms)
  const gates = asked.map((gate) => judgeGate(blocks, gate, { looks, unit, before }))
  const gating = gates.map(({ metric }) => metric)
  const most = decisive(gates)
  const isLast = blocks.length >= looks.at.at(-1)!
  const { beyond, isFirst } = terms.shape ?? {}
  const lasting = Object.fromEntries(gates.map((gate) => [gate.metric, gate.lasting]))
  const read = { gating, looks, unit, guards, budget: margins.budget, beyond, isFirst, lasting }
  const { metrics, shape } = ratiosAmong(blocks, read)
  const errors = errorsOf(blocks, { level: looks.level, unit })
  const { ratio, interval, differs } = most
  // That nothing got worse is said when all was seen that there is time for: tails take longest.
  const isEarly = !isLast && (isPassing(most) || most.verdict === 'improved')
  const nextLook = looks.at.find((look) => look > blocks.length) ?? 0
  const verdict = isEarly ? 'continue' : most.verdict
  // Each gate that is open takes blocks of its own.
  const open = gates.filter((gate) => gate.verdict === most.verdict)
  const wanted = Math.max(...open.map((gate) => gate.furtherBlocks))
  const furtherBlocks = isEarly ? nextLook - blocks.length : wanted
  const common = {
    ...{ ratio, interval, blocks: blocks.length, metrics, errors, gates, differs },
    ...(shape && { shape }),
    waited: waitedOf(blocks),
    answers: otherAnswers(blocks),
    unseen: unseenOf(blocks, unit)
  }
  const worse = isDue ? worseBeside(blocks, terms, common) : undefined
  if (worse !== undefined && (verdict !== 'regressed' || worse.metric === 'errors')) {
    return { verdict: 'regressed', because: worse.because, furtherBlocks: 0, ...common, worse }
  }
  const besides = verdict === 'regressed' && !worse?.isSuspicion ? worse?.metrics : undefined
  const { margins: own } = asked.find(({ metric }) => metric === most.metric)!
  const because = reasons[verdict](most.metric, percent(Math.expm1(own.budget)))
  return { verdict, because, furtherBlocks, ...common, ...(besides && { besides }) }
}

/**
 * Of few starts what does not gate has to be so much surer: three of them see hardly anything
 * again. By the level of many, alike builds alarmed up to thrice as often in 15 s as in 60 s.
 */
const few = { starts: 12, share: 0.35 }

/** What is worse beside the gates at a look that is due; failures first, and by themselves. */
function worseBeside(
  blocks: readonly Block[],
  { looks, margins, unit, guards, shape: asked }: PairTerms,
  found: Pick<PairConclusion, 'metrics' | 'shape' | 'errors' | 'gates'>
): Guarded | undefined {
  const { metrics, shape, errors, gates } = found
  const { level } = looks
  const areAsked = guards === undefined || guards.includes('errors')
  // What is asked again is asked about one side only.
  const sided = guards === undefined ? level : 2 * level
  if (areAsked && failsMore(blocks, { level: sided, unit })) {
    return { metric: 'errors', metrics: ['errors'], because: failuresText(errors) }
  }
  // Too few blocks for an interval are too few for this as well.
  if (!gates.some(({ interval }) => interval[0] > 0 && Number.isFinite(interval[1]))) return
  const gating = gates.map(({ metric }) => metric)
  const isLast = blocks.length >= looks.at.at(-1)!
  const isFew = unit === 'processes' && guards === undefined && blocks.length < few.starts
  const sure = isFew ? few.share * level : level
  const levels = { sure, found: asked?.isFirst ? level : sure }
  const shapeLevel = isLast ? asked?.level : undefined
  return guardedWorse(metrics, {
    gating,
    budget: margins.budget,
    levels,
    shapeLevel,
    shape,
    guards
  })
}

/** The first gate's B/A so far, and its interval: cheap enough to be asked after every block. */
export function runningRatio(
  blocks: readonly Block[],
  terms: PairTerms
): Pick<PairConclusion, 'ratio' | 'interval'> {
  return runningGate(blocks, terms, terms)
}

/** The bound on how much more often B may fail, in words. */
export function errorBound({ more }: ErrorShares): string {
  if (more.high >= 1) return 'too few to tell'
  return more.high < 0 ? `≥ ${percent(-more.high, 2)} fewer` : `≤ ${percent(more.high, 2)} more`
}
