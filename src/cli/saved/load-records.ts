import type { LoadResult } from '../../load/figures/result.ts'
import { summary } from '../../load/figures/summary.ts'
import type { HistogramRecord, MetricRecord } from '../../report/record.ts'

/** What a load measured, as numbers and as whole distributions. */
export function loadRecords(
  scenario: string,
  result: LoadResult
): (MetricRecord | HistogramRecord)[] {
  const { requests, rps, timeouts, dropped, own = {} } = summary(result)
  const numbers = { requests, rps, timeouts, dropped }
  const metrics = Object.entries(numbers).map(([name, value]): MetricRecord => {
    return { t: 'metric', scenario, name, value, unit: name === 'rps' ? '1/s' : 'requests' }
  })
  for (const [name, figure] of Object.entries(own))
    metrics.push({ t: 'metric', scenario, name, ...figure })
  if (!result.health.valid) return metrics
  const histograms = (['response', 'service'] as const).map((name): HistogramRecord => {
    return { t: 'histogram', scenario, name, encoded: result.tally[name].encoded }
  })
  return [...metrics, ...histograms]
}
