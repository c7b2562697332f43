import type { LoadResult } from '../load/figures/result.ts'
import type { Window } from '../load/health/live-counters.ts'
import type { Target } from '../target/target.ts'
import type { Evidence } from '../verdict/verdict.ts'
import type { LoadWorkers } from './load-worker.ts'
import type { Pool } from './pool.ts'
import type { Stop } from './stop.ts'

/** One number that a unit measured. */
export type Measured = { name: string; value: number; unit: string }

/** What a unit that loads its target brought home, or why there was nothing. */
export type LoadFound =
  | { evidence: Evidence; result?: LoadResult; metrics?: Measured[] }
  | { absent: string }

/** What it takes to load a target as a unit wants it. */
export type LoadingParts = {
  target: Target
  pool: Pool
  workers: LoadWorkers
  stop: Stop
  seed: number
  /** Hears four times a second what a load came to since the last time. */
  onWindow?: (window: Window) => void
  /** Aborted once nothing is to be waited for any longer. */
  signal: AbortSignal
}
