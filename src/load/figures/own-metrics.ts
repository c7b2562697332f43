import { createHistogram, type Distribution, mergeDistributions, percentiles } from './histogram.ts'
import { type StreamMetric, streamMetrics } from './stream-metrics.ts'

/**
 * A number that a scenario measures besides requests. What a counter is given adds up, a gauge is
 * what something stood at, and of a distribution there are percentiles.
 */
export type OwnMetric = { kind: 'counter' | 'gauge' | 'distribution'; unit: string }

/** Those of one load, by name; what is not declared cannot be recorded. */
export type OwnMetrics = Record<string, OwnMetric>

/** So many one load may have: each is kept by every worker, and told in every report. */
export const mostOwnMetrics = 50

/** What a metric came to; `values` are those of a distribution, in thousandths of its unit. */
export type OwnTally = OwnMetric & {
  count: number
  sum: number
  /** 0 where nothing was recorded. */
  min: number
  max: number
  values?: Distribution
}

/** The largest value a distribution takes, in its unit, and the finest it tells is a thousandth. */
const highest = 3_600_000

/** What is said of each kind: the name of a statistic follows that of the metric. */
const statistics = {
  counter: ['', 'per second'],
  gauge: ['mean', 'min', 'max'],
  distribution: ['p50', 'p90', 'p99', 'max', 'mean']
} as const

const full = (name: string, statistic: string) => (statistic === '' ? name : `${name} ${statistic}`)

/** Everything an objective may be about: `orders`, `orders per second`, `wait p99`. */
export function statisticNames(metrics: OwnMetrics): string[] {
  return Object.entries(metrics).flatMap(([name, { kind }]) =>
    statistics[kind].map((statistic) => full(name, statistic))
  )
}

function createKept({ kind, unit }: OwnMetric) {
  const sums = { kind, unit, count: 0, sum: 0, min: Infinity, max: -Infinity }
  return { sums, values: kind === 'distribution' ? createHistogram() : undefined }
}

function add({ sums, values }: ReturnType<typeof createKept>, value: number): void {
  sums.count++
  sums.sum += value
  sums.min = Math.min(sums.min, value)
  sums.max = Math.max(sums.max, value)
  values?.record(value)
}

/** Adds up what streams and a scenario record, in memory that does not grow. */
export function createOwnMetrics(metrics: OwnMetrics) {
  const kept = new Map(Object.entries(metrics).map(([name, one]) => [name, createKept(one)]))
  return {
    isEmpty: () => kept.size === 0,
    /** Takes one value of a stream's; the first of a metric makes it one of those that are told. */
    recordStream(name: StreamMetric, value: number): void {
      const one = kept.get(name) ?? createKept(streamMetrics[name])
      kept.set(name, one)
      add(one, Math.min(value, highest))
    },
    /** Takes one value; throws a TypeError where there is no such metric, or it takes none such. */
    record(name: string, value: number): void {
      const one = kept.get(name)
      if (one === undefined) {
        const known = [...kept.keys()].join(', ') || 'none'
        throw new TypeError(`record: "${name}" is no metric of this scenario, which has ${known}`)
      }
      const { sums, values } = one
      const least = sums.kind === 'gauge' ? -Infinity : 0
      const most = values === undefined ? Infinity : highest
      if (!Number.isFinite(value) || value < least || value > most) {
        throw new TypeError(`record: "${name}", a ${sums.kind}, cannot be ${value}`)
      }
      add(one, value)
    },
    tally: (): Record<string, OwnTally> =>
      Object.fromEntries(
        [...kept].map(([name, { sums, values }]) => {
          const ends = sums.count > 0 ? {} : { min: 0, max: 0 }
          return [name, { ...sums, ...ends, ...(values && { values: values.distribution() }) }]
        })
      )
  }
}

function joined(one: OwnTally, other: OwnTally): OwnTally {
  if (one.count === 0) return other
  if (other.count === 0) return one
  const values = [one, other].flatMap(({ values }) => values ?? [])
  return {
    ...one,
    count: one.count + other.count,
    sum: one.sum + other.sum,
    min: Math.min(one.min, other.min),
    max: Math.max(one.max, other.max),
    ...(values.length > 0 && { values: mergeDistributions(values) })
  }
}

/** What several workers recorded, together; their order does not matter. */
export function mergeOwn(parts: readonly Record<string, OwnTally>[]): Record<string, OwnTally> {
  const merged = new Map<string, OwnTally>()
  for (const [name, one] of parts.flatMap(Object.entries<OwnTally>)) {
    const known = merged.get(name)
    merged.set(name, known === undefined ? one : joined(known, one))
  }
  return Object.fromEntries(merged)
}

/** A number that came of a scenario's own metric. */
export type OwnFigure = { value: number; unit: string }

function figuresOf({ kind, unit, ...one }: OwnTally, seconds: number): Record<string, OwnFigure> {
  const { count, sum, min, max, values } = one
  if (kind === 'counter') {
    const rate = seconds > 0 ? sum / seconds : 0
    return { '': { value: sum, unit }, 'per second': { value: rate, unit: `${unit}/s` } }
  }
  if (count === 0) return {}
  const said = { min: { value: min, unit }, max: { value: max, unit } }
  const mean = { value: sum / count, unit }
  if (values === undefined) return { mean, ...said }
  const { p50, p90, p99 } = percentiles(values)
  const inUnit = (thousandths: number | null) => ({ value: (thousandths ?? 0) / 1_000, unit })
  return { p50: inUnit(p50), p90: inUnit(p90), p99: inUnit(p99), max: said.max, mean }
}

/**
 * What there is to say of a scenario's own metrics, by name. Of a gauge or a distribution that was
 * never recorded there is nothing; a counter is 0 then.
 */
export function ownFigures(
  own: Record<string, OwnTally>,
  durationMs: number
): Record<string, OwnFigure> {
  return Object.fromEntries(
    Object.entries(own).flatMap(([name, one]) =>
      Object.entries(figuresOf(one, durationMs / 1_000)).map(([statistic, figure]) => {
        const value = Number(figure.value.toPrecision(12))
        return [full(name, statistic), { ...figure, value }]
      })
    )
  )
}
