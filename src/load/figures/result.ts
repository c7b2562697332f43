import { type Health, invalidReasons, type WorkerHealth } from '../health/health.ts'
import type { Load } from '../load.ts'
import { slowestOf, type Traced } from '../requests/tracer.ts'
import { type Connections, mergeConnections, noConnections } from '../transports/transport.ts'
import { sumCounts } from './counts.ts'
import type { LostParts } from './lost-parts.ts'
import { mergeTallies, type Tally } from './metrics.ts'
import type { After } from './recorder.ts'
import { sumOfWaits } from './waits.ts'

/** What one part of a load brings home, as plain data. */
export type ShareResult = {
  model: Load['model']
  tally: Tally
  /** Absent when nobody carried the part out. */
  health?: WorkerHealth
  /** What became of connections in this trial, and before it since the last one. */
  connections: Connections
  /** Iterations begun, measured or not, and those of them that were unfinished when time was up. */
  begun: number
  unfinished: number
  /** What the scenario's own code threw, and how often. */
  faults: Record<string, number>
  /** The stretch that was measured, in milliseconds after when the load was to begin. */
  fromMs: number
  toMs: number
  /** How long it went on after all phases were over, and what was under way took in it. */
  after?: After & { ms: number }
  /** How many of its requests waited for what never came, by quarters of a second; see `Waits`. */
  waits?: readonly number[]
  /** The slowest of those requests that carried a trace's context; absent where none was to. */
  traced?: readonly Traced[]
}

/** What all workers of a load found together, as plain data. */
export type LoadResult = Pick<
  ShareResult,
  'model' | 'tally' | 'connections' | 'begun' | 'unfinished' | 'faults' | 'waits'
> & {
  /** One for each worker that took part. */
  workers: WorkerHealth[]
  health: Health
  /** Length of what was measured. */
  durationMs: number
  /** What was heard of parts that were lost; none of it is in the tally. */
  told?: LostParts
  /** What became of each part that was lost, in words; absent where none was. */
  lost?: readonly string[]
  /** The slowest of those requests that carried a trace's context; absent where none did. */
  traced?: readonly Traced[]
}

/** What happened after the load was over, in all its parts. */
function afterAll(shares: readonly ShareResult[]): NonNullable<ShareResult['after']> {
  const all = shares.flatMap(({ after }) => after ?? [])
  const sum = (of: keyof After) => all.reduce((total, after) => total + after[of], 0)
  const ms = Math.max(0, ...all.map((after) => after.ms))
  return { ms, requestsMs: sum('requestsMs'), iterationsMs: sum('iterationsMs') }
}

/**
 * Puts together what the workers brought home; their order does not matter. `lost` is what became
 * of those who brought nothing home: without their part it is not the load that was asked for.
 */
export function mergeShares(
  shares: readonly ShareResult[],
  lost: readonly string[] = []
): LoadResult {
  const { model } = shares[0]!
  const tally = mergeTallies(shares.map((share) => share.tally))
  const workers = shares.flatMap(({ health }) => health ?? [])
  const connections = mergeConnections(shares.map((share) => share.connections))
  const fromMs = Math.min(...shares.map((share) => share.fromMs))
  const durationMs = Math.max(...shares.map((share) => share.toMs)) - fromMs
  const unfinished = shares.reduce((sum, { unfinished }) => sum + unfinished, 0)
  const faults = sumCounts(shares.map((share) => share.faults))
  const traced = slowestOf(shares.flatMap((share) => share.traced ?? []))
  const after = afterAll(shares)
  const reasons = [
    ...lost.map((because) => `a worker was lost: ${because}`),
    ...invalidReasons({ model, workers, durationMs, tally, connections, unfinished, faults, after })
  ]
  return {
    model,
    tally,
    workers,
    health: { valid: reasons.length === 0, reasons },
    connections,
    begun: shares.reduce((sum, { begun }) => sum + begun, 0),
    unfinished,
    faults,
    durationMs,
    waits: sumOfWaits(shares.map(({ waits }) => waits ?? [])),
    ...(lost.length > 0 && { lost }),
    ...(traced.length > 0 && { traced })
  }
}

/** What is brought home of a part that did nothing. */
export function idle({ model }: Pick<Load, 'model'>): ShareResult {
  const nothing = { begun: 0, unfinished: 0, faults: {}, fromMs: 0, toMs: 0 }
  return { model, tally: mergeTallies([]), connections: noConnections(), ...nothing }
}
