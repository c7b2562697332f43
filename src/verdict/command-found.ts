import type { Boundary } from '../limit/boundary.ts'
import type { Capacity } from './capacity.ts'
import type { History } from './history.ts'
import type { Conclusion } from './outcome.ts'
import type { PairMetric } from './pair-metric.ts'
import type { ToldRatio } from './pair-ratios.ts'
import type { RateBaseline } from './rate-trial.ts'

/** What there is to say besides what is drawn, each thing under its name. */
export type FoundFacts = readonly (readonly [name: string, text: string])[]

/** A comparison of two targets: every pair of its gating metric, and what all came to. */
export type ComparisonFound = {
  of: 'comparison'
  metric: PairMetric
  /** Percentage by which B may be worse. */
  budget: number
  /** B/A of the gating metric, and where it surely lies; absent where nothing was measured. */
  ratio?: number
  interval?: [low: number, high: number]
  metrics: Partial<Record<PairMetric, ToldRatio>>
  /** B/A of each pair in the order taken; `confirms` where it was to see a difference again. */
  pairs: { ratio: number; confirms: boolean }[]
  /** Absent in what an older version kept. */
  facts?: FoundFacts
}

/** A search for the highest rate that holds an objective. */
export type CapacityFound = {
  of: 'capacity'
  /** `perSecond` is the rate that is demanded, where one is. */
  objective: { p99Ms: number; errorsPercent: number; perSecond?: number }
  capacity?: Capacity
  baseline?: RateBaseline
  facts?: FoundFacts
}

/** One limit that was looked for: on sizes where it has boundaries, or on the rate. */
export type LimitFound = {
  of: 'limit'
  unit?: string
  boundaries?: { variant: string; boundary: Boundary }[]
  rate?: {
    algorithm: string
    burst: number | null
    perSecond: number | null
    windowMs: number | null
  }
}

/** Builds in the order they were compared in, and where their level shifts. */
export type HistoryFound = { of: 'history' } & History

/** What a command without a document found out, as far as it is drawn. */
export type CommandFound = ComparisonFound | CapacityFound | LimitFound | HistoryFound

/**
 * What a command concluded with all that it saw on the way. It decided while it measured, by looks
 * and by what it then asked, so its conclusion is kept beside it and not drawn from it again.
 */
export type CommandEvidence = { kind: 'command'; conclusion: Conclusion; found: CommandFound }
