import { createSample } from '../figures/sample.ts'
import { headerLines, methodOf, type Prepared } from '../requests/request.ts'
import { noConnections, type Transport, type TransportOptions } from './transport.ts'

type Queued = { prepared: Prepared; due: number; token: number }

/** Sends by Node's own fetch, so many at once as there are places on the connections. */
export function createFetch(options: TransportOptions): Transport {
  const { now, onSample, timeoutMs, connections, pipelining } = options
  const counts = noConnections()
  const sample = createSample()
  const ended = new AbortController()
  const queue: Queued[] = []
  let free = connections * pipelining

  const carry = async ({ prepared, due, token }: Queued) => {
    const { request, route, bytes } = prepared
    const sent = now()
    const told = { token, route, due, sent, bytesSent: bytes.length, first: Number.NaN }
    const signal = AbortSignal.any([ended.signal, AbortSignal.timeout(timeoutMs)])
    const how = { method: methodOf(request), headers: headerLines(request), body: request.body }
    try {
      const reply = await fetch(request.url, { ...how, signal, redirect: 'manual' } as RequestInit)
      const first = now()
      const body = Buffer.from(await reply.arrayBuffer())
      const kept = prepared.keeps ? { headers: [...reply.headers].flat(), body: [body] } : {}
      const what = { ending: 'answered', status: reply.status, bytesReceived: body.length } as const
      onSample(Object.assign(sample, { ...told, ...what, ...kept, first, end: now() }))
    } catch {
      if (ended.signal.aborted) return
      const what = { ending: 'timeout', status: 0, bytesReceived: 0 } as const
      onSample(Object.assign(sample, { ...told, ...what, end: now() }))
    }
    free++
    flush()
  }
  const flush = () => {
    while (free > 0 && queue.length > 0) {
      free--
      void carry(queue.shift()!)
    }
  }
  return {
    async open() {},
    send(prepared, due, token) {
      queue.push({ prepared, due, token })
    },
    flush,
    connections: () => structuredClone(counts),
    close: () => ended.abort()
  }
}
