import type { Clock } from '../clock.ts'
import type { LoadResult } from '../load/figures/result.ts'
import type { Load } from '../load/load.ts'
import { type Stretch, stretchOf } from '../verdict/stretch.ts'
import type { Deadline } from './deadline.ts'
import { createGauge, type Figures } from './soak-gauge.ts'
import { unlessStopped } from './stop.ts'

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
  /** By when it has to be over, however much of that is still to be. */
  deadline: Deadline
  stretchSeconds: number
  seed: number
  clock: Clock
  /** Whether to end, on request or since the time is up. */
  stopped: () => boolean
  /** Keeps a stretch; the next one begins when this has returned. */
  keep: (stretch: Stretch, result: LoadResult) => void
}

/** How long one stretch of a soak lasts: a 120th of the whole, from a second to half a minute. */
export function stretchSeconds(seconds: number): number {
  return Math.min(30, Math.max(1, seconds / 120))
}

/** Before the deadline, so that a stretch is over by then and not cut short. */
const spareSeconds = 0.1

/** A last stretch that would be shorter is left out. */
const shortestSeconds = 0.1

/**
 * How much longer than its load a soak may take: what it takes to begin is not of its duration, so
 * that one which goes on where another ended is whole.
 */
export const beginningSeconds = 5

/** Why a soak ended; `unanswered`: nothing came back from the very first. */
export type SoakEnding = 'whole' | 'interrupted' | 'unanswered'

function isUnanswered({ load }: Stretch): boolean {
  return load !== undefined && load.requests > 0 && load.failures >= load.requests
}

/**
 * Loads a target in stretches over connections that stay. Of each stretch only sums and histograms
 * of a fixed size remain, and nothing of one that is cut short, unless it was the deadline that did
 * and only answers were missing. A target that answers nothing in the first one is not asked any
 * further.
 */
export async function soak(options: SoakOptions): Promise<SoakEnding> {
  const { trial, loadFor, figures, fromSeconds, seconds, seed, clock, stopped, keep } = options
  const { deadline } = options
  const leftSeconds = () => deadline.leftMs() / 1_000 - spareSeconds
  let elapsed = fromSeconds
  for (let n = 0; elapsed < seconds - 1e-3 && leftSeconds() >= shortestSeconds; n++) {
    const lasting = Math.min(options.stretchSeconds, seconds - elapsed, leftSeconds())
    const began = clock.now()
    const gauge = createGauge({ figures, clock, everyMs: Math.min(1_000, 250 * lasting) })
    const loaded = trial(loadFor(lasting), seed + n).catch(unlessStopped)
    const [result, read] = await Promise.all([loaded, loaded.then(gauge.end, gauge.end)])
    const took = (clock.now() - began) / 1_000
    const isOver = stopped()
    if (isOver && deadline.leftMs() > 0) return 'interrupted'
    // Cut short in the waiting that follows it, it tells of requests that are not answered.
    const hadTime = took >= 2 * lasting
    if (result === undefined || (isOver && !hadTime)) break
    const stretch = stretchOf(result, took, read)
    keep(stretch, result)
    if (elapsed === 0 && isUnanswered(stretch)) return 'unanswered'
    elapsed += took
  }
  return 'whole'
}
