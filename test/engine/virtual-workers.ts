import type { LoadWorker, LoadWorkers } from '../../src/engine/load-worker.ts'
import { createStop } from '../../src/engine/stop.ts'
import { createSample, type Ending } from '../../src/load/figures/sample.ts'
import { createPartSender } from '../../src/load/sender.ts'
import {
  type Connections,
  noConnections,
  type Transport
} from '../../src/load/transports/transport.ts'
import { transports as known, type Transports } from '../../src/load/transports/transports.ts'
import { createVirtualTime } from '../load/virtual.ts'

/** How a simulated server answers the n-th request it is sent at that moment. */
export type Answering = (n: number, sentMs: number) => { ms: number; status: number }

/** One worker that sends to a simulated server, in virtual time. */
export function createVirtualWorkers(answering: Answering) {
  const time = createVirtualTime()
  const counts: Connections = noConnections()
  let asked = 0
  const transports: Transports = {
    ...known,
    wire: async () => ({
      make: ({ connections, onSample, onConnect }): Transport => {
        const sample = createSample()
        return {
          async open() {
            counts.opened += connections
            for (let n = 0; n < connections; n++) onConnect(1)
          },
          send(prepared, due, token) {
            const sent = time.now()
            const { ms, status } = answering(asked++, sent)
            const ending: Ending = 'answered'
            time.after(ms, () => {
              const end = time.now()
              const times = { due, sent, first: end, end }
              onSample(
                Object.assign(sample, { token, route: prepared.route, status, ending }, times)
              )
            })
          },
          flush() {},
          connections: () => structuredClone(counts),
          close() {}
        }
      }
    })
  }
  const { clock } = time
  const sender = createPartSender({ index: 0, count: 1 }, { clock, timeline: time, transports })
  const worker: LoadWorker = {
    open({ destinations }) {
      const targets = destinations.map(({ source, ...connecting }) => {
        return { ...connecting, request: 'requests' in source ? source.requests : [] }
      })
      return sender.open(targets)
    },
    // What sends orders does so in real time, of which none passes here.
    trial({ to, stop, startAt: _, ...trial }) {
      const { requested: stopped } = createStop(stop)
      return sender.inTurns(to, { ...trial, stopped })
    },
    async close() {
      sender.close()
    }
  }
  const workers: LoadWorkers = { all: [worker], leadMs: () => 0, patienceMs: 1_000 }
  return { workers, time, counts }
}
