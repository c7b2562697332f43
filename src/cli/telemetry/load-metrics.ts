import { type HrTime, ValueType } from '@opentelemetry/api'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer
} from '@opentelemetry/sdk-metrics'
import { version } from '../version.ts'
import { boundsSeconds, type LoadMeters, type LoadSeries } from './load-meters.ts'

const hrTimeOf = (ms: number): HrTime => [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)]

/** What a metric is: its name, unit, and what it says. */
type What = readonly [name: string, unit: string, description: string]

/** One value, with what tells it apart from others of its metric. */
type Point<Value> = { labels: LoadSeries['labels']; value: Value }

/** The time since which counts grow, and that of a look at them. */
type Times = { startTime: HrTime; endTime: HrTime }

const described = ([name, unit, description]: What) => ({
  descriptor: { name, unit, description, valueType: ValueType.DOUBLE },
  aggregationTemporality: AggregationTemporality.CUMULATIVE
})

const pointsOf = <Value>(points: readonly Point<Value>[], times: Times): DataPoint<Value>[] =>
  points.map(({ labels, value }) => ({ attributes: labels, ...times, value }))

function sumOf(what: What, points: readonly Point<number>[], times: Times): MetricData {
  const isMonotonic = what !== underWay
  const dataPointType = DataPointType.SUM
  return { ...described(what), dataPointType, isMonotonic, dataPoints: pointsOf(points, times) }
}

const underWay: What = ['http.client.active_requests', '{request}', 'Requests under way']

const failed: What = [
  'plimsoll.requests.failed',
  '{request}',
  'Without an answer, or status 400 on'
]

const dropped: What = ['plimsoll.arrivals.dropped', '{arrival}', 'Due, and never sent']

const results: What = ['plimsoll.results', '{request}', 'By status or error, when a load is over']

const loads: What = ['plimsoll.loads', '{load}', 'Loads that are over, by whether to trust them']

const inFlightOf = ({ inFlight }: LoadSeries) => [...inFlight.values()].reduce((a, b) => a + b, 0)

/** All series as metrics; `durations` is what the response times are called. */
function metricsOf(series: readonly LoadSeries[], durations: What, times: Times): MetricData[] {
  const each = (of: (one: LoadSeries) => number) =>
    series.map((one) => ({ labels: one.labels, value: of(one) }))
  const found = series.map((one) => ({ labels: one.labels, value: histogramOf(one) }))
  return [
    {
      ...described(durations),
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: pointsOf(found, times)
    },
    sumOf(underWay, each(inFlightOf), times),
    sumOf(
      failed,
      each((one) => one.failed),
      times
    ),
    sumOf(
      dropped,
      each((one) => one.dropped),
      times
    ),
    sumOf(results, series.flatMap(resultsOf), times),
    sumOf(loads, series.flatMap(loadsOf), times)
  ]
}

const says = 'Response times, from when each request was due'

/** The names by which the response times go; the exporter to Prometheus adds no unit by itself. */
export const durationsFor: Record<'otlp' | 'prometheus', What> = {
  otlp: ['http.client.request.duration', 's', says],
  prometheus: ['http.client.request.duration_seconds', 'seconds', says]
}

/** The loads as metrics: the SDK asks for them whenever it exports. */
export function producerOf(
  { all }: LoadMeters,
  durations: What,
  resource: Resource
): MetricProducer {
  const startTime = hrTimeOf(Date.now())
  return {
    async collect() {
      const times = { startTime, endTime: hrTimeOf(Date.now()) }
      const metrics = metricsOf(all(), durations, times)
      const scopeMetrics = [{ scope: { name: 'plimsoll', version }, metrics }]
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
    }
  }
}

const loadsOf = ({ labels, loads: { valid, invalid } }: LoadSeries): Point<number>[] => [
  { labels: { ...labels, 'plimsoll.valid': true }, value: valid },
  { labels: { ...labels, 'plimsoll.valid': false }, value: invalid }
]

function histogramOf({ buckets, seconds }: LoadSeries): Histogram {
  const count = buckets.reduce((total, one) => total + one, 0)
  const counts = [...buckets]
  return { buckets: { boundaries: [...boundsSeconds], counts }, sum: seconds, count }
}

function resultsOf({ labels, results }: LoadSeries): Point<number>[] {
  return [...results].map(([name, value]) => {
    const told: [string, string | number] = /^\d/.test(name)
      ? ['http.response.status_code', Number(name)]
      : ['error.type', name]
    return { labels: { ...labels, ...Object.fromEntries([told]) }, value }
  })
}

/** Who tells of loads. */
export const resourceOf = () =>
  resourceFromAttributes({ 'service.name': 'plimsoll', 'service.version': version })
