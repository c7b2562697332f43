import { hodgesLehmann } from '../statistics/hodges-lehmann.ts'
import type { Block, Trial } from './trial.ts'

/** What of a trial is compared. */
export type PairMetric = 'p50' | 'p90' | 'p99' | 'throughput' | 'cpu' | 'rss'

/** One number of a trial, and which way it is worse. */
type Reading = {
  of: (trial: Trial) => number | null | undefined
  unit: 'µs' | '1/s' | 'µs/request' | 'bytes'
  worse: 'more' | 'less'
}

/** Everything that is compared, and how it is read from a trial. */
export const pairMetrics: Record<PairMetric, Reading> = {
  p50: { of: ({ p50Us }) => p50Us, unit: 'µs', worse: 'more' },
  p90: { of: ({ p90Us }) => p90Us, unit: 'µs', worse: 'more' },
  p99: { of: ({ p99Us }) => p99Us, unit: 'µs', worse: 'more' },
  throughput: { of: ({ perSecond }) => perSecond, unit: '1/s', worse: 'less' },
  cpu: { of: ({ cpuUsPerRequest }) => cpuUsPerRequest, unit: 'µs/request', worse: 'more' },
  rss: { of: ({ rssBytes }) => rssBytes, unit: 'bytes', worse: 'more' }
}

/**
 * By how much B is worse than A, on the log scale: one number for each block in which both could
 * be read, the centre of its pairs.
 */
export function differences(blocks: readonly Block[], metric: PairMetric): number[] {
  const { of, worse } = pairMetrics[metric]
  const sign = worse === 'more' ? 1 : -1
  return blocks.flatMap((pairs) => {
    const ratios = pairs.flatMap(({ a, b }) => {
      const ratio = Math.log((of(b) ?? 0) / (of(a) ?? 0))
      return Number.isFinite(ratio) ? [sign * ratio] : []
    })
    return ratios.length > 0 ? [hodgesLehmann(ratios)] : []
  })
}

/** A difference as the ratio B/A of the metric itself. */
export function ratioOf(difference: number, metric: PairMetric): number {
  return Math.exp(pairMetrics[metric].worse === 'more' ? difference : -difference)
}
