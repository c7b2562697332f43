import { createSample } from '../../../src/load/figures/sample.ts'
import type { Prepared } from '../../../src/load/requests/request.ts'
import { noConnections, type Transport } from '../../../src/load/transports/transport.ts'
import type { Transports } from '../../../src/load/transports/transports.ts'
import type { VirtualTime } from '../virtual.ts'

/** When the events of the n-th stream come, in milliseconds after it was asked for. */
export type StreamLaw = (n: number) => readonly number[]

/** One connection to a server that is only a law: streams follow one another, in virtual time. */
function createLawTransport(time: VirtualTime, law: StreamLaw, onSample: SampleTaker): Transport {
  const waiting: { prepared: Prepared; due: number; token: number }[] = []
  const headers = ['content-type', 'text/event-stream']
  let isBusy = false
  let asked = 0
  const serve = () => {
    const next = waiting[0]
    if (isBusy || next === undefined) return
    waiting.shift()
    isBusy = true
    const { prepared, due, token } = next
    const sent = time.now()
    const moments = law(asked++)
    for (const ms of moments) {
      const part = Buffer.from(`data: ${ms}\n\n`)
      time.after(ms, () => prepared.sink!.take(part, { status: 200, headers }))
    }
    time.after(moments.at(-1)!, () => {
      isBusy = false
      const times = { due, sent, first: sent + moments[0]!, end: time.now() }
      onSample(Object.assign(createSample(), times, { token, status: 200, headers, body: [] }))
      serve()
    })
  }
  return {
    open: async () => {},
    send: (prepared, due, token) => void waiting.push({ prepared, due, token }),
    flush: serve,
    connections: noConnections,
    close() {}
  }
}

type SampleTaker = (sample: ReturnType<typeof createSample>) => void

/** Transports of which the usual one leads to a server that is only a law. */
export function lawTransports(time: VirtualTime, law: StreamLaw): Transports {
  const wire = async () => ({
    make: ({ onSample }: { onSample: SampleTaker }) => createLawTransport(time, law, onSample)
  })
  return { http1: wire, wire, uring: wire, http2: wire, undici: wire, autocannon: wire }
}
