import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type HrTime, ValueType } from '@opentelemetry/api'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
  type PushMetricExporter
} from '@opentelemetry/sdk-metrics'
import type { Route } from '../../route.ts'
import { Failure } from '../failure.ts'
import { version } from '../version.ts'
import { boundsSeconds, type LoadMeters, type LoadSeries } from './load-meters.ts'

/** How often a collector is told, and how long it may take to listen, in milliseconds. */
const tellEveryMs = 2_000

/** Where metrics go to, or are fetched from. */
export type Exporter = {
  /** Tells the last of it, and ends; resolves to what went wrong on the way, if anything. */
  end(): Promise<string | undefined>
}

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
const durationsFor: Record<'otlp' | 'prometheus', What> = {
  otlp: ['http.client.request.duration', 's', says],
  prometheus: ['http.client.request.duration_seconds', 'seconds', says]
}

/** The loads as metrics: the SDK asks for them whenever it exports. */
function producerOf({ all }: LoadMeters, durations: What, resource: Resource): MetricProducer {
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

const resourceOf = () =>
  resourceFromAttributes({ 'service.name': 'plimsoll', 'service.version': version })

/** The URL of a collector's metrics, below the one that was given for all it takes. */
export function metricsUrlOf(url: string): string {
  const own = '/v1/metrics'
  const { origin, pathname, search } = new URL(url)
  const path = pathname.replace(/\/+$/, '')
  return `${origin}${path.endsWith(own) ? path : `${path}${own}`}${search}`
}

/** Tells a collector every two seconds, at the addresses for which there is leave. */
export function openOtlp(meters: LoadMeters, url: string, route: Route): Exporter {
  const { addresses } = route
  const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const exporter = new OTLPMetricExporter({
    url: metricsUrlOf(url),
    timeoutMillis: tellEveryMs,
    httpAgentOptions: {
      keepAlive: true,
      // A name may lead elsewhere by now.
      lookup(_, options, callback) {
        if (typeof options === 'object' && options.all) callback(null, all)
        else callback(null, all[0]!.address, all[0]!.family)
      }
    }
  })
  const told = remembering(exporter)
  const resource = resourceOf()
  const reader = new PeriodicExportingMetricReader({
    exporter: told.exporter,
    exportIntervalMillis: tellEveryMs,
    exportTimeoutMillis: tellEveryMs,
    metricProducers: [producerOf(meters, durationsFor.otlp, resource)]
  })
  const provider = new MeterProvider({ resource, readers: [reader] })
  return {
    async end() {
      await provider.shutdown().catch((cause: Error) => told.fail(cause.message))
      return told.failure()
    }
  }
}

/** An exporter that remembers what last went wrong: the SDK itself only logs it. */
function remembering(exporter: PushMetricExporter) {
  let failure: string | undefined
  const fail = (because: string) => {
    failure = because
  }
  const told: PushMetricExporter = {
    export: (metrics, done) =>
      exporter.export(metrics, (result) => {
        if (result.code === 0) failure = undefined
        else fail(result.error?.message ?? 'no reason was given')
        done(result)
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: () => exporter.shutdown()
  }
  return { exporter: told, fail, failure: () => failure }
}

/** Offers the metrics to a Prometheus on this machine; `note` is told where. */
export async function openPrometheus(
  meters: LoadMeters,
  port: number,
  note: (text: string) => void
): Promise<Exporter> {
  const resource = resourceOf()
  const reader = new PrometheusExporter({
    preventServerStart: true,
    metricProducers: [producerOf(meters, durationsFor.prometheus, resource)]
  })
  const provider = new MeterProvider({ resource, readers: [reader] })
  const server = createServer((request, response) => {
    if (request.url === '/metrics') return reader.getMetricsRequestHandler(request, response)
    response.writeHead(404).end()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening').catch((cause: Error) => {
    throw new Failure(`--prometheus ${port}: ${cause.message}`)
  })
  // Whoever scrapes holds up no command.
  server.unref()
  server.on('connection', (socket) => socket.unref())
  note(`Metrics: http://127.0.0.1:${(server.address() as AddressInfo).port}/metrics`)
  return {
    async end() {
      server.close()
      server.closeAllConnections()
      await provider.shutdown()
      return undefined
    }
  }
}
