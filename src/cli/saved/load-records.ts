import type { Unit } from '../../engine/unit.ts'
import type { LoadResult } from '../../load/figures/result.ts'
import { summary } from '../../load/figures/summary.ts'
import type { Load } from '../../load/load.ts'
import { duration, grouped } from '../../report/quantity.ts'
import type { EventRecord, HistogramRecord, MetricRecord } from '../../report/record.ts'

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

/** Of many events so many are kept. */
const mostEvents = 200

/** What happened to a load on the way: when its level was changed, and its generator paused. */
export function eventRecords(
  scenario: string,
  { phases, model }: Load,
  { workers }: LoadResult
): EventRecord[] {
  const unit = model === 'open' ? ' a second' : ' users'
  let at = 0
  const ramps = phases.flatMap(({ from, to, seconds }): EventRecord[] => {
    const [fromMs, toMs] = [at, at + seconds * 1_000]
    at = toMs
    if (from === to || toMs === Infinity) return []
    const text = `from ${grouped(from)} to ${grouped(to)}${unit}`
    return [{ t: 'event', scenario, kind: 'ramp', fromMs, toMs, text }]
  })
  const pauses = workers.flatMap(({ pauses = [] }) =>
    pauses.map(({ atMs, ms }): EventRecord => {
      const [fromMs, toMs] = [Math.max(0, atMs), Math.max(0, atMs + ms)]
      const text = `the generator paused for ${duration(ms)} to collect garbage`
      return { t: 'event', scenario, kind: 'gc', fromMs, toMs, text }
    })
  )
  return [...ramps, ...pauses].slice(0, mostEvents)
}

/** The same of a scenario's load, all of it. */
export function unitRecords(
  { scenario, load }: Pick<Unit, 'scenario' | 'load'>,
  result: LoadResult
): (EventRecord | ReturnType<typeof loadRecords>[number])[] {
  const events = load === undefined ? [] : eventRecords(scenario, load.load, result)
  return [...events, ...loadRecords(scenario, result)]
}
