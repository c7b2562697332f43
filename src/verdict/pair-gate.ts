import { centreInterval, centreOf, type ExperimentalUnit } from '../statistics/centre.ts'
import type { Looks } from '../statistics/looks.ts'
import { type Margins, type PairedDecision, pairedDecision } from '../statistics/paired-decision.ts'
import { differences, lastingOf, type PairMetric, ratioOf } from './pair-metric.ts'
import { ratiosOf } from './pair-ratios.ts'
import type { Block } from './trial.ts'

/** What a metric must not be worse by. */
export type Gate = { metric: PairMetric; margins: Margins }

/** What one gate came to. */
export type GateConclusion = {
  metric: PairMetric
  verdict: PairedDecision['verdict']
  /** B/A, and its interval. */
  ratio: number
  interval: [low: number, high: number]
  furtherBlocks: number
  /** Which way B differs from A beyond doubt, by however little. */
  differs?: 'worse' | 'better' | undefined
  /** By how much what outlives processes widens the interval, where there are any. */
  lasting?: number | undefined
}

function wayOf({ interval }: PairedDecision, { nothing }: Margins): GateConclusion['differs'] {
  if (interval.low > nothing) return 'worse'
  return interval.high < -nothing ? 'better' : undefined
}

/** Blocks that tell how much those after them differ, and nothing else; and the level for these. */
export type BlocksBefore = { blocks: readonly Block[]; level: number }

type GateTerms = {
  looks: Looks
  unit?: ExperimentalUnit | undefined
  before?: BlocksBefore | undefined
}

/** Judges blocks by one metric; `continue` between looks, and when an open look is not the last. */
export function judgeGate(
  blocks: readonly Block[],
  { metric, margins }: Gate,
  { looks, unit, before }: GateTerms
): GateConclusion {
  const found = differences(blocks, metric)
  const isLast = blocks.length >= looks.at.at(-1)!
  // Blocks in which nothing could be read leave fewer differences than there are looks.
  const due = looks.at.includes(blocks.length) || isLast
  const at = due ? [found.length] : [found.length + 1]
  const level = before?.level ?? looks.level
  const others = before?.blocks ?? []
  const lasting = lastingOf(blocks, metric, { level, unit, before: others })
  const known = { before: differences(others, metric), lasting }
  const decision = pairedDecision(found, { level, at }, margins, unit, known)
  const isOpen = decision.verdict === 'inconclusive' && !isLast
  const verdict = isOpen ? 'continue' : decision.verdict
  const nextLook = looks.at.find((look) => look > blocks.length) ?? 0
  return {
    ...{ metric, verdict, ratio: ratioOf(decision.estimate, metric) },
    interval: ratiosOf([decision.interval.low, decision.interval.high], metric),
    furtherBlocks: verdict === 'continue' ? nextLook - blocks.length : decision.furtherPairs,
    differs: wayOf(decision, margins),
    lasting
  }
}

/** The worse of two verdicts is that of both; better is what is so beside nothing worse. */
const worstFirst = [
  ...(['regressed', 'continue', 'inconclusive'] as const),
  ...(['slower-within-budget', 'improved', 'no-regression'] as const)
]

/** The gate that decides, which is the first of the worst. */
export function decisive(gates: readonly GateConclusion[]): GateConclusion {
  const ranked = worstFirst.flatMap((verdict) => gates.filter((gate) => gate.verdict === verdict))
  return ranked[0]!
}

/** A gate's B/A so far, and its interval: cheap enough to be asked after every block. */
export function runningGate(
  blocks: readonly Block[],
  { metric }: Gate,
  { looks, unit = 'pair' }: { looks: Looks; unit?: ExperimentalUnit | undefined }
): Pick<GateConclusion, 'ratio' | 'interval'> {
  const found = differences(blocks, metric)
  const { level } = looks
  const lasting = lastingOf(blocks, metric, { level, unit })
  const { low, high } = centreInterval(found, { confidence: 1 - level, unit, lasting })
  return { ratio: ratioOf(centreOf(found, unit), metric), interval: ratiosOf([low, high], metric) }
}
