import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus'
import { MeterProvider } from '@opentelemetry/sdk-metrics'
import { Failure } from '../failure.ts'
import type { Exporter } from './collector.ts'
import type { LoadMeters } from './load-meters.ts'
import { durationsFor, producerOf, resourceOf } from './load-metrics.ts'

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
