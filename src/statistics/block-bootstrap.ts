import type { Random } from '../random.ts'
import type { Interval } from './interval.ts'
import { sortedQuantile } from './quantile.ts'

/** How to resample; the chance makes it repeatable. */
export type Resampling = {
  /** Neighbours that stay together: several times as far as values remember; 1 if they do not. */
  block: number
  /** Values in a resample; default: as many as the series has. */
  length?: number
  /** Default: 1000. */
  resamples?: number
  confidence: number
  next: Random
}

/** One resample, of runs of neighbours from anywhere in the series. */
function resample(
  series: ArrayLike<number>,
  { block, length, next }: { block: number; length: number; next: Random }
): Float64Array {
  const drawn = new Float64Array(length)
  const starts = series.length - block + 1
  for (let filled = 0; filled < length; filled += block) {
    const start = Math.floor(next() * starts)
    const taken = Math.min(block, length - filled)
    for (let place = 0; place < taken; place++) drawn[filled + place] = series[start + place]!
  }
  return drawn
}

/**
 * Interval for a statistic of a series whose neighbours are alike: the middle share of its values
 * over resamples of blocks (percentiles). Assumes a series without trend that forgets within a
 * block, and many blocks; it promises too much otherwise, see the README's table. Source: Künsch,
 * Ann. Statist. 17 (1989).
 */
export function blockBootstrap(
  series: ArrayLike<number>,
  statistic: (resampled: Float64Array) => number,
  { block, length = series.length, resamples = 1000, confidence, next }: Resampling
): Interval {
  const drawing = { block: Math.min(block, series.length), length, next }
  const values = Float64Array.from({ length: resamples }, () =>
    statistic(resample(series, drawing))
  ).sort()
  const miss = (1 - confidence) / 2
  return { low: sortedQuantile(values, miss), high: sortedQuantile(values, 1 - miss) }
}
