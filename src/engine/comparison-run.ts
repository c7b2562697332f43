import type { Clock } from '../clock.ts'
import type { Load } from '../load/load.ts'
import type { ExperimentalUnit, Gate, PairConclusion, PairTerms } from '../verdict/judge-pair.ts'
import type { PairMetric } from '../verdict/pair-metric.ts'
import type { PairPlan } from '../verdict/pair-plan.ts'
import type { Block } from '../verdict/trial.ts'
import type { Deadline } from './deadline.ts'
import type { Arms, Pairing } from './pairing.ts'

/** What to compare, by what, and for how long. */
export type ComparisonOptions = {
  arms: Arms
  /** The load of a trial that lasts so long. */
  loadFor: (seconds: number) => Load
  /** Whether trials are to be open loads, at a rate that both hold and that is to be found. */
  open?: boolean
  metric: PairMetric
  margins: PairTerms['margins']
  /** What gates besides, each by margins of its own. */
  also?: readonly Gate[]
  /** By when everything has to be over, the confirmation included. */
  deadline: Deadline
  /** For how long targets are asked at least before anything counts, fresh processes each time. */
  warmUpSeconds?: number | undefined
  /** Pairs of one block: 1, or at least so many where every block has fresh processes. */
  pairsPerBlock: number
  seed: number
  clock: Clock
  /** Whether to end, on request or since the time is up. */
  stopped: () => boolean
  onProgress: (progress: ComparisonProgress) => void
}

/** What differences are taken from: the processes of a block, where each block has its own. */
export function unitOf({
  pairsPerBlock
}: Pick<ComparisonOptions, 'pairsPerBlock'>): ExperimentalUnit {
  return pairsPerBlock > 1 ? 'processes' : 'pair'
}

/**
 * Pairs taken on the same two processes where each block has its own, in so many seconds: starts
 * tell more than pairs, and in a short time there are few of them.
 */
export function pairsPerProcess(seconds: number): number {
  return Math.max(2, Math.min(5, Math.round(seconds / 12)))
}

/**
 * Time without which a comparison says nothing: of targets that are there, since a shorter one sees
 * one mood of theirs, and of those that are started, since the fewest starts take as long. The part
 * in which a difference is seen again is in it.
 */
export const leastSeconds: Record<ExperimentalUnit, number> = { pair: 20, processes: 10 }

/** How many times as long as a warm-up that was asked for it takes: starts have one each. */
const warmUps: Record<ExperimentalUnit, number> = { pair: 4, processes: 14 }

/** The least time of a comparison, with a warm-up of so many seconds at least. */
export const leastTime = (unit: ExperimentalUnit, warmUpSeconds = 0) =>
  Math.max(leastSeconds[unit], Math.ceil(warmUps[unit] * warmUpSeconds))

/** What a comparison tells while it goes on. */
export type ComparisonProgress =
  | { kind: 'warming' }
  | { kind: 'paced'; rate: number }
  | { kind: 'repeated'; reasons: readonly string[] }
  | { kind: 'planned'; plan: Pilot['plan']; blocks: number; seconds: number; trialMs: number }
  | { kind: 'measured'; blocks: readonly Block[]; terms: PairTerms; confirms: boolean }
  | { kind: 'confirming'; conclusion: PairConclusion }
  /** Early: with what had been measured, told or not. */
  | { kind: 'ended'; blocks: readonly Block[] }

/** First blocks, what follows from them, and the load they were measured with. */
export type Pilot = {
  load: Load
  trialMs: number
  blocks: Block[]
  plan: PairPlan & {
    secondsPerBlock: number
    neededSeconds: number
    /** What can be told apart by each gate, the first one first, and when its budget could be. */
    gates: GatePlan[]
  }
}

/** As in `PairPlan`, of one gate; its budget as a ratio. */
export type GatePlan = {
  metric: PairMetric
  budget: number
  resolvable: number
  neededSeconds: number
}

/** What there is of a comparison, should it end early. */
export type SoFar = { blocks: readonly Block[]; plan?: Pilot['plan']; rate?: number }

/** Everything that goes on through a whole comparison. */
export type ComparisonRun = {
  options: ComparisonOptions
  pairing: Pairing
  /** Pairs of one block: of fresh processes as many as the first of them were found to be worth. */
  pairs: number
  soFar: SoFar
  /** When it has to be over, and by when a regression should have been seen. */
  endMs: number
  decideMs: number
  /** The rate of its open loads, where one was found for them. */
  rate?: number
}
