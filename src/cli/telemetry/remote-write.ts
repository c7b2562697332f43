import { hostname } from 'node:os'
import { PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import { AggregationTemporality, type ResourceMetrics } from '@opentelemetry/sdk-metrics'
import { pushTimeseries, type Timeseries } from 'prometheus-remote-write'
import { Agent, request } from 'undici'
import { connectorAlong } from '../../tunnel.ts'
import { Failure } from '../failure.ts'
import { version } from '../version.ts'
import { type Collector, type Exporter, pushing, tellEveryMs } from './collector.ts'
import type { LoadMeters } from './load-meters.ts'

/**
 * What whoever takes the metrics wants to be shown: `name=value,name=value`, encoded as in a URL.
 */
const headersFrom = 'PLIMSOLL_REMOTE_WRITE_HEADERS'

const line = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/
const label = /(\w+)="((?:[^"\\]|\\.)*)"/g
const escapes: Record<string, string> = { '\\\\': '\\', '\\"': '"', '\\n': '\n' }

/** What would be written where the library says nothing of it, which it never does. */
const nothing = { method: 'POST', headers: {}, body: new ArrayBuffer() }

/** The series on a page in Prometheus' text format, each with its value at that moment. */
function seriesOn(page: string, timestamp: number): Timeseries[] {
  return page.split('\n').flatMap((content) => {
    const found = line.exec(content)
    if (found === null) return []
    const [, __name__, labels = '', value] = found
    const told = [...labels.matchAll(label)].map(([, name, text]) => {
      return [name!, text!.replace(/\\[\\"n]/g, (code) => escapes[code]!)]
    })
    const samples = [{ value: Number(value!.replace('Inf', 'Infinity')), timestamp }]
    return [{ labels: { __name__: __name__!, ...Object.fromEntries(told) }, samples }]
  })
}

/** What is in the environment; ends the command where that says nothing, and does not repeat it. */
function headersGiven(): Record<string, string> {
  const pairs = (process.env[headersFrom] ?? '').split(',').filter((pair) => pair.trim() !== '')
  return Object.fromEntries(
    pairs.map((pair, index) => {
      try {
        const [, name = '', value = ''] = /^\s*([\w-]+)\s*=(.*)$/.exec(pair) ?? []
        const told = decodeURIComponent(value.trim())
        if (name !== '' && /^[\t\x20-\x7e]*$/.test(told)) return [name, told]
      } catch {
        // It is told below.
      }
      throw new Failure(
        `${headersFrom}: its header ${index + 1} is none: name=value, encoded as in a URL`
      )
    })
  )
}

/**
 * Writes to a Prometheus, or to what takes its remote write, every two seconds: the same series as
 * on the page that one scrapes, told apart by this process as that would be by who is scraped.
 */
export function openRemoteWrite(meters: LoadMeters, { url, route }: Collector): Exporter {
  const serializer = new PrometheusSerializer('', false, undefined, true)
  const headers = headersGiven()
  const dispatcher = new Agent({ connect: connectorAlong(route, { timeout: tellEveryMs }) })
  const write = async (metrics: ResourceMetrics) => {
    const series = seriesOn(serializer.serialize(metrics), Date.now())
    const { status, errorMessage } = await pushTimeseries(series, {
      url,
      labels: { job: 'plimsoll', instance: `${hostname()}:${process.pid}` },
      headers: {
        'content-encoding': 'snappy',
        'user-agent': `plimsoll/${version}`,
        'x-prometheus-remote-write-version': '0.1.0',
        ...headers
      },
      async fetch(to, { method, headers: all, body } = nothing) {
        const { statusCode, body: answer } = await request(to, {
          ...{ method: method as 'POST', headers: all, body: new Uint8Array(body), dispatcher },
          signal: AbortSignal.timeout(tellEveryMs)
        })
        return { status: statusCode, statusText: '', text: () => answer.text() }
      }
    })
    if (status < 200 || status > 299) throw new Error(`HTTP ${status} ${errorMessage ?? ''}`.trim())
  }
  const { end } = pushing(
    meters,
    {
      export(metrics, done) {
        write(metrics).then(
          () => done({ code: 0 }),
          (error: Error) => done({ code: 1, error })
        )
      },
      selectAggregationTemporality: () => AggregationTemporality.CUMULATIVE,
      forceFlush: async () => {},
      shutdown: async () => {}
    },
    'prometheus'
  )
  return {
    async end() {
      const failure = await end()
      await dispatcher.destroy()
      return failure
    }
  }
}
