import type { Clock } from '../clock.ts'
import type { Load } from '../load/load.ts'
import type { LoadResult } from '../load/result.ts'
import { type Stretch, stretchOf } from '../verdict/stretch.ts'
import { createGauge, type Figures } from './soak-gauge.ts'

/** Whom to load, how, and for how much longer. */
export type SoakOptions = {
  /** Sends a load to the target. */
  trial: (load: Load, seed: number) => Promise<LoadResult>
  /** The load of a stretch that lasts so long. */
  loadFor: (seconds: number) => Load
  /** Reads what the target tells of itself; undefined when it tells nothing just now. */
  figures: () => Promise<Figures | undefined>
  /** What was recorded before, and what there is to be in the end. */
  fromSeconds: number
  seconds: number
  stretchSeconds: number
  seed: number
  clock: Clock
  stopped: () => boolean
  /** Keeps a stretch; the next one begins when this has returned. */
  keep: (stretch: Stretch, result: LoadResult) => void
}

/** How long one stretch of a soak lasts: a 120th of the whole, from a second to half a minute. */
export function stretchSeconds(seconds: number): number {
  return Math.min(30, Math.max(1, seconds / 120))
}

/** Why a soak ended; `unanswered`: nothing came back from the very first. */
export type SoakEnding = 'whole' | 'interrupted' | 'unanswered'

function isUnanswered({ load }: Stretch): boolean {
  return load !== undefined && load.requests > 0 && load.failures >= load.requests
}

/**
 * Loads a target in stretches over connections that stay. Of each stretch only sums and histograms
 * of a fixed size remain, and nothing of one that is cut short. A target that answers nothing in
 * the first one is not asked any further.
 */
export async function soak(options: SoakOptions): Promise<SoakEnding> {
  const { trial, loadFor, figures, fromSeconds, seconds, seed, clock, stopped, keep } = options
  let elapsed = fromSeconds
  for (let n = 0; elapsed < seconds - 1e-3; n++) {
    const lasting = Math.min(options.stretchSeconds, seconds - elapsed)
    const began = clock.now()
    const gauge = createGauge({ figures, clock, everyMs: Math.min(1_000, 250 * lasting) })
    const loaded = trial(loadFor(lasting), seed + n)
    const [result, read] = await Promise.all([loaded, loaded.then(gauge.end, gauge.end)])
    if (stopped()) return 'interrupted'
    const took = (clock.now() - began) / 1_000
    const stretch = stretchOf(result, took, read)
    keep(stretch, result)
    if (elapsed === 0 && isUnanswered(stretch)) return 'unanswered'
    elapsed += took
  }
  return 'whole'
}
