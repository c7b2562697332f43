import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import {
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter
} from '@opentelemetry/sdk-metrics'
import { lookupOf, type Route } from '../../route.ts'
import type { LoadMeters } from './load-meters.ts'
import { durationsFor, producerOf, resourceOf } from './load-metrics.ts'

/** How often whoever is told of loads is, and how long they may take, in milliseconds. */
export const tellEveryMs = 2_000

/** Where metrics or spans go to, or are fetched from. */
export type Exporter = {
  /** Tells the last of it, and ends; resolves to what went wrong on the way, if anything. */
  end(): Promise<string | undefined>
}

/** Where a collector is: as it was given, and the addresses for which there is leave. */
export type Collector = { url: string; route: Route }

/**
 * What the SDK's exporters to a collector are made with, for metrics or for traces: its URL for
 * them, below the one that was given for all it takes.
 */
export function toCollector({ url, route }: Collector, what: 'metrics' | 'traces') {
  const { origin, pathname, search } = new URL(url)
  const base = pathname.replace(/\/+$/, '').replace(/\/v1\/(metrics|traces)$/, '')
  return {
    url: `${origin}${base}/v1/${what}${search}`,
    timeoutMillis: tellEveryMs,
    // A name may lead elsewhere by now.
    httpAgentOptions: { keepAlive: true, lookup: lookupOf(route) }
  }
}

/** Anything that exports, by the contract of the SDK. */
type Exports<Told> = {
  export(told: Told, done: (result: { code: number; error?: Error }) => void): void
}

/** An exporter that remembers what last went wrong: the SDK itself only logs it. */
export function remembering<Told, Kind extends Exports<Told>>(exporter: Kind & Exports<Told>) {
  let failure: string | undefined
  const fail = (because: string) => {
    failure = because
  }
  const send = exporter.export.bind(exporter)
  exporter.export = (told: Told, done: Parameters<Exports<Told>['export']>[1]) =>
    send(told, (result) => {
      if (result.code === 0) failure = undefined
      else fail(result.error?.message ?? 'no reason was given')
      done(result)
    })
  return { exporter, fail, failure: () => failure }
}

/** Pushes the metrics every two seconds, and at the end; `names` is who they are for. */
export function pushing(
  meters: LoadMeters,
  pusher: PushMetricExporter,
  names: keyof typeof durationsFor
): Exporter {
  const { exporter, fail, failure } = remembering(pusher)
  const resource = resourceOf()
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: tellEveryMs,
    exportTimeoutMillis: tellEveryMs,
    metricProducers: [producerOf(meters, durationsFor[names], resource)]
  })
  const provider = new MeterProvider({ resource, readers: [reader] })
  return {
    async end() {
      await provider.shutdown().catch((cause: Error) => fail(cause.message))
      return failure()
    }
  }
}

/** Tells a collector of metrics. */
export function openOtlp(meters: LoadMeters, collector: Collector): Exporter {
  return pushing(meters, new OTLPMetricExporter(toCollector(collector, 'metrics')), 'otlp')
}
