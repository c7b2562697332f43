import { expect, test } from 'vitest'
import {
  AllLost,
  type LoadWorker,
  type LoadWorkers,
  Refused
} from '../../src/engine/load-worker.ts'
import { sendLoad } from '../../src/engine/send-load.ts'
import { createStop } from '../../src/engine/stop.ts'
import { createSample } from '../../src/load/figures/sample.ts'
import { summary } from '../../src/load/figures/summary.ts'
import { createLiveCounters, type LiveCounters } from '../../src/load/health/live-counters.ts'
import { closed } from '../../src/load/load.ts'
import { createPartSender } from '../../src/load/sender.ts'
import { answer, listen } from '../load/server.ts'

/** Two who send in this thread; those numbered so throw that instead, once they have told. */
function twoOf(failures: Record<number, Error>, tell?: (live: LiveCounters) => void): LoadWorkers {
  const worker = (n: number): LoadWorker => {
    const sender = createPartSender({ index: n, count: 2 })
    return {
      open({ destinations }) {
        const targets = destinations.map(({ source, ...connecting }) => {
          return { ...connecting, request: 'requests' in source ? source.requests : [] }
        })
        return sender.open(targets)
      },
      async trial({ to, stop, ...trial }) {
        const failure = failures[n]
        if (failure) {
          tell?.(createLiveCounters(trial.live[0]!))
          throw failure
        }
        const { requested: stopped } = createStop(stop)
        return sender.inTurns(to, { ...trial, stopped })
      },
      async close() {
        sender.close()
      }
    }
  }
  return { all: [worker(0), worker(1)], leadMs: () => 5, patienceMs: 1_000 }
}

async function sent(failures: Record<number, Error>, tell?: (live: LiveCounters) => void) {
  const { url } = await listen(answer('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'))
  const load = closed({ connections: 4, iterations: 40, seconds: 60 })
  const destination = { source: { requests: [{ url }] }, transport: 'wire' as const }
  const workers = twoOf(failures, tell)
  return sendLoad({ load, destination, seed: 1, workers, stop: createStop() })
}

test('a load is what all of its parts come to', async () => {
  const { result } = await sent({})
  expect(result.tally.results).toEqual({ 200: 40 })
  expect(result.workers).toHaveLength(2)
})

test('a part that is lost makes the load invalid, and nothing of the others is lost', async () => {
  const { result } = await sent({ 1: new Error('its thread died') })
  expect(result.tally.results).toEqual({ 200: 20 })
  expect(result.health.valid).toBe(false)
  expect(result.health.reasons).toContain('a worker was lost: its thread died')
  expect(result.lost).toEqual(['its thread died'])
})

test('a load of which nothing is left is none', async () => {
  const refused = new Refused('not from here')
  await expect(sent({ 0: refused, 1: new Error('died') })).rejects.toBe(refused)
  const gone = new Error('vm is gone')
  await expect(sent({ 0: gone, 1: gone })).rejects.toThrow(new AllLost('vm is gone'))
})

test('what those who were lost had told is kept, apart from all that was measured', async () => {
  const died = new Error('died')
  const { result } = await sent({ 0: died, 1: died }, (live) => {
    for (let n = 0; n < 10; n++) live.begin()
    live.record(Object.assign(createSample(), { status: 200, due: 0, end: 5 }), true)
    live.record(Object.assign(createSample(), { status: 503, due: 0, end: 5 }), true)
  })
  expect(result.told).toMatchObject({ parts: 2, begun: 20, finished: 4, failed: 2, dropped: 0 })
  expect(result.told!.response.p50).toBeGreaterThanOrEqual(5_000)
  expect(result.health.valid).toBe(false)
  expect(summary(result)).toMatchObject({ requests: 0, durationMs: 0, told: { begun: 20 } })
})
