import { ROOT_CONTEXT, SpanKind, SpanStatusCode, type TimeInput } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Destination } from '../../engine/load-worker.ts'
import type { LoadResult } from '../../load/figures/result.ts'
import { slowestOf, type Traced, tookMs } from '../../load/requests/tracer.ts'
import { latency } from '../../report/quantity.ts'
import { version } from '../version.ts'
import {
  type Collector,
  type Exporter,
  remembering,
  tellEveryMs,
  toCollector
} from './collector.ts'
import { serverOf } from './load-meters.ts'
import { resourceOf } from './load-metrics.ts'

/** Tells a collector of the slowest traced requests of each load that is over. */
export type SpanExporter = Exporter & {
  /** Tells of a load that began at that moment, in milliseconds since the epoch. */
  tell(destination: Destination, startAt: number, result: LoadResult): void
  /** The slowest of all that were told, in words; undefined where none was. */
  slowest(): string | undefined
}

/** What is said of one request, by OpenTelemetry's conventions for HTTP clients. */
function attributesOf(traced: Traced, { source }: Destination) {
  const { method, url, route, status, ending, due, sent } = traced
  const error = ending === 'answered' ? (status >= 400 ? `${status}` : undefined) : ending
  return {
    'http.request.method': method,
    'url.full': url,
    ...serverOf([url]),
    ...(route !== undefined && { 'url.template': route }),
    ...(status > 0 && { 'http.response.status_code': status }),
    ...(error !== undefined && { 'error.type': error }),
    ...('unit' in source && { 'plimsoll.scenario': source.unit.scenario }),
    // Seconds from when it was due until it left: a response time begins there.
    'plimsoll.request.waited': Math.max(0, sent - due) / 1_000
  }
}

/** Opens the way of spans to a collector; the SDK sends them in batches. */
export function openSpans(collector: Collector): SpanExporter {
  const told = remembering(new OTLPTraceExporter(toCollector(collector, 'traces')))
  // The ids were made when the request left: whoever answered it has recorded them by now.
  let ids = { traceId: '', spanId: '' }
  const provider = new TracerProvider({
    resource: resourceOf(),
    sampler: new AlwaysOnSampler(),
    idGenerator: { generateTraceId: () => ids.traceId, generateSpanId: () => ids.spanId },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: told.exporter,
        scheduledDelayMillis: tellEveryMs,
        exportTimeoutMillis: tellEveryMs
      })
    ]
  })
  const tracer = provider.getTracer('plimsoll', version)
  let slowest: Traced | undefined
  return {
    slowest() {
      if (slowest === undefined) return undefined
      const { method, url, traceId } = slowest
      return `${method} ${url} took ${latency(tookMs(slowest) * 1_000)}, trace ${traceId}`
    },
    tell(destination, startAt, { traced = [] }) {
      slowest = slowestOf([...traced, ...(slowest ? [slowest] : [])])[0]
      for (const one of traced) {
        const { method, route, ending, sent, first, end } = one
        const at = (ms: number): TimeInput => startAt + ms
        ids = one
        const attributes = attributesOf(one, destination)
        const name = route === undefined ? method : `${method} ${route}`
        const kind = SpanKind.CLIENT
        const span = tracer.startSpan(
          name,
          { kind, root: true, startTime: at(sent), attributes },
          ROOT_CONTEXT
        )
        if (ending === 'answered') span.addEvent('plimsoll.first_byte', at(first))
        if ('error.type' in attributes) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end(at(end))
      }
    },
    async end() {
      await provider.shutdown().catch((cause: Error) => told.fail(cause.message))
      return told.failure()
    }
  }
}
