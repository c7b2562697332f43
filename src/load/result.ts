import { sumCounts } from './counts.ts'
import { type Health, invalidReasons, type WorkerHealth } from './health.ts'
import { mergeTallies, type Tally } from './metrics.ts'
import type { ShareResult } from './run.ts'
import type { Told } from './told.ts'
import { type Connections, mergeConnections } from './transport.ts'

/** What all workers of a load found together, as plain data. */
export type LoadResult = {
  model: ShareResult['model']
  tally: Tally
  /** One for each worker that took part. */
  workers: WorkerHealth[]
  health: Health
  connections: Connections
  /** Iterations begun, measured or not, and those of them that were unfinished when time was up. */
  begun: number
  unfinished: number
  /** What the scenario's own code threw, and how often. */
  faults: Record<string, number>
  /** Length of what was measured. */
  durationMs: number
  /** What was heard of parts that were lost; none of it is in the tally. */
  told?: Told
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
  const reasons = [
    ...lost.map((because) => `a worker was lost: ${because}`),
    ...invalidReasons({ model, workers, durationMs, tally, connections, unfinished, faults })
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
    durationMs
  }
}
