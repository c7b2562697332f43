import { percent } from '../number.ts'
import type { ExperimentalUnit } from '../statistics/centre.ts'
import type { Looks } from '../statistics/looks.ts'
import type { Margins } from '../statistics/paired-decision.ts'
import { median } from '../statistics/quantile.ts'
import { type ErrorShares, errorsOf, failedMore, failsMore, failuresText } from './pair-errors.ts'
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
  const read = { gating, looks, unit, guards, budget: margins.budget, beyond, isFirst }
  const { metrics, shape } = ratiosAmong(blocks, read)
  const errors = errorsOf(blocks, { level: looks.level, unit })
  const { ratio, interval, differs } = most
  // That nothing got worse is said when all was seen that there is time for: tails take longest.
  const isEarly = !isLast && (isPassing(most) || most.verdict === 'improved')
  const nextLook = looks.at.find((look) => look > blocks.length) ?? 0
  const verdict = isEarly ? 'continue' : most.verdict
  const furtherBlocks = isEarly ? nextLook - blocks.length : most.furtherBlocks
  const common = {
    ...{ ratio, interval, blocks: blocks.length, metrics, errors, gates, differs },
    ...(shape && { shape }),
    waited: waitedOf(blocks),
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
  const shapeLevel = isLast ? asked?.level : undefined
  return guardedWorse(metrics, { gating, budget: margins.budget, level, shapeLevel, shape, guards })
}

/** What has to be seen twice, and which way it says that B differs. */
const twice: Partial<Record<PairConclusion['verdict'], PairConclusion['differs']>> = {
  regressed: 'worse',
  improved: 'better'
}

/** Whether a verdict is one that counts only when it was seen again. */
export const isToBeConfirmed = ({ verdict }: PairConclusion) => twice[verdict] !== undefined

/** A tail is suspected where luck has a chance of so much, and so again; all blocks decide. */
const suspicion = { first: 0.2, again: 0.5 }

/** The terms by which something is found at first: tails take long to show, so by a suspicion. */
export const termsFirst = (terms: PairTerms): PairTerms => ({
  ...terms,
  shape: { level: suspicion.first, isFirst: true }
})

/** The terms by which a first finding is looked at again: nothing beside it may confirm it. */
export function termsAgain(terms: PairTerms, first: PairConclusion): PairTerms {
  const { worse, besides = [], shape } = first
  const beyond = shape && { shape: { level: suspicion.again, beyond: shape.beyond } }
  return { ...terms, guards: worse?.metrics ?? besides, ...beyond }
}

/** What was seen once, in words, whose figures are those of the blocks until then. */
function lookOf({ verdict, because, worse, blocks }: PairConclusion): string {
  const looked = `after ${blocks} blocks B looked`
  if (verdict === 'improved') return `${looked} better by the budget`
  return worse === undefined ? `${looked} worse by the budget` : `${looked} worse (${because})`
}

/** Whether a gate is not about requests. */
const isSpent = (metric: PairMetric) => metric === 'cpu' || metric === 'rss'

/**
 * Whether fresh blocks show what was seen at first: the same gate to differ the same way, or what
 * was worse beside the gates to be so again, or a gate that is slower: where nothing changed both
 * looks have to err, whichever they name. Failures are no noise: it is enough that more fail again,
 * since all blocks have to say that it is surely so.
 */
function isSeenAgain(first: PairConclusion, fresh: PairConclusion): boolean {
  if (first.worse?.metric === 'errors') return failedMore(fresh.errors)
  const isSame = fresh.verdict === first.verdict
  const before = first.worse?.metrics ?? first.besides ?? []
  if (isSame && (fresh.worse?.metrics ?? []).some((metric) => before.includes(metric))) return true
  if (first.worse !== undefined) {
    return (
      isSame && fresh.gates.some((gate) => gate.verdict === first.verdict && !isSpent(gate.metric))
    )
  }
  if (!isSame && fresh.verdict !== 'inconclusive') return false
  return first.gates
    .filter(({ verdict }) => verdict === first.verdict)
    .some(({ metric }) => {
      const gate = fresh.gates.find((one) => one.metric === metric)
      return gate?.verdict === first.verdict || gate?.differs === twice[first.verdict]
    })
}

/** Figures of which nothing is concluded, by none of the gates either. */
export const undecided = (all: PairConclusion, because: string): PairConclusion => ({
  ...all,
  ...{ verdict: 'inconclusive', because },
  gates: all.gates.map((gate) =>
    twice[gate.verdict] ? { ...gate, verdict: 'inconclusive' } : gate
  )
})

/** What is said of a first look that could not be repeated, with the figures of all blocks. */
export const unrepeated = (first: PairConclusion, all = first): PairConclusion =>
  undecided(all, `${lookOf(first)}, and there was no time to see that again`)

/**
 * Judges a regression, or an improvement, by what was measured again on fresh connections or
 * processes, and by both together: it counts when fresh blocks show the same, and all of them that
 * it is so by the budget. Fewer blocks than can show anything, `isEnough` not, contradict nothing:
 * there was no time, but for failures.
 */
export function judgeAgain(
  first: PairConclusion,
  fresh: PairConclusion,
  pooled: PairConclusion,
  isEnough = true
): PairConclusion {
  const areFailures = first.worse?.metric === 'errors'
  const isSame = areFailures ? pooled.worse?.metric === 'errors' : pooled.verdict === first.verdict
  if (isSeenAgain(first, fresh) && isSame) return pooled
  // What was only suspected, and all blocks together do not show, was nothing.
  if (first.worse?.isSuspicion && !isToBeConfirmed(pooled)) return pooled
  // It may well be better again: what speaks against it is what all blocks show besides.
  if (first.verdict === 'improved' && pooled.worse !== undefined)
    return undecided(pooled, `${lookOf(first)}, and all blocks show: ${pooled.worse.because}`)
  if (!isEnough) return unrepeated(first, pooled)
  return undecided(pooled, `${lookOf(first)}, and not again when all was made anew`)
}

/** The first gate's B/A so far, and its interval: cheap enough to be asked after every block. */
export function runningRatio(
  blocks: readonly Block[],
  terms: PairTerms
): Pick<PairConclusion, 'ratio' | 'interval'> {
  return runningGate(blocks, terms, terms)
}

/** The bound on how much more often B may fail, in words. */
export const errorBound = ({ more }: ErrorShares) =>
  more.high >= 1 ? 'too few to tell' : `≤ ${percent(more.high, 2)} more`
