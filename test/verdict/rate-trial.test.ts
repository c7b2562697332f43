import { expect, test } from 'vitest'
import type { LoadResult } from '../../src/load/figures/result.ts'
import type { LoadSummary } from '../../src/load/figures/summary.ts'
import { hold, open } from '../../src/load/load.ts'
import { noConnections } from '../../src/load/transports/transport.ts'
import { baselineOf, judgeRate } from '../../src/verdict/rate-trial.ts'
import { type Law, simulate } from '../load/virtual.ts'

const baseline = { p50Us: 10_000, p99Us: 10_000 }

/** Offers a rate for two seconds to a target of four lanes that follows a law. */
async function offered(
  rate: number,
  law: Law,
  { p99Us = 50_000, ...changes }: Partial<LoadResult> & { p99Us?: number } = {}
) {
  const load = { ...open(hold({ rate, seconds: 2 })), connections: 4 }
  const { tally, begun, unfinished } = await simulate(load, law)
  // The last response is as long behind the last arrival as the backlog takes.
  const behindMs = Math.max(0, (rate * 2 * 10) / 4 - 2_000)
  const result: LoadResult = {
    ...{ model: 'open', tally, begun, unfinished, workers: [], faults: {} },
    ...{ connections: noConnections(), health: { valid: true, reasons: [] } },
    ...{ durationMs: 2_000 + behindMs, ...changes }
  }
  const task = { purpose: 'search' as const, rate, seconds: 2 }
  return judgeRate(task, result, { objective: { p99Us, errorRatio: 0.001 }, baseline })
}

const tenMs: Law = () => 10

test('four lanes of ten milliseconds hold 390 a second and miss 600', async () => {
  expect(await offered(390, tenMs)).toMatchObject({ outcome: 'held', because: '', lossRatio: 0 })
  expect(await offered(600, tenMs)).toMatchObject({ outcome: 'missed', binding: 'latency' })
})

test('what is served well, and what is lost, follows from what was late', async () => {
  const found = await offered(100, (n) => (n % 4 === 0 ? 60 : 10))
  expect(found.outcome).toBe('missed')
  expect(found.because).toBe('p99 was 60 ms')
  expect(found.lossRatio).toBeCloseTo(0.25, 2)
  expect(found.goodput).toBeCloseTo(75, 0)
})

test('falling behind is a miss before it can be seen in the percentile', async () => {
  const found = await offered(412, tenMs, { p99Us: 100_000 })
  expect(found.p99Us).toBeLessThan(100_000)
  expect(found).toMatchObject({ outcome: 'missed', binding: 'latency' })
  expect(found.because).toMatch(/last response came \d+ ms late/)
})

test('failures are a miss of their own kind, whatever the latencies', async () => {
  const { tally } = await simulate({ ...open(hold({ rate: 100, seconds: 2 })) }, tenMs)
  const results = { 200: 190, 429: 10 }
  const found = await offered(100, tenMs, { tally: { ...tally, results } })
  expect(found).toMatchObject({ outcome: 'missed', binding: 'errors', errorShare: 0.05 })
  expect(found.because).toBe('5 % of requests failed')
  expect(found.goodput).toBeCloseTo(95)
})

test('dropped arrivals are lost', async () => {
  const { tally } = await simulate({ ...open(hold({ rate: 100, seconds: 2 })) }, tenMs)
  const found = await offered(100, tenMs, { tally: { ...tally, dropped: 200 } })
  expect(found).toMatchObject({ outcome: 'missed', binding: 'latency', lossRatio: 0.5 })
})

/** A thread that let one arrival in a hundred go 20 ms late; all else is as it should be. */
async function lateWorker(changes: Partial<LoadResult['workers'][number]> = {}) {
  const { lag } = await simulate({ ...open(hold({ rate: 100, seconds: 2 })) }, tenMs)
  const worker = {
    ...{ wallMs: 2_000, cpuMs: 100, eventLoopUtilization: 1, eventLoopDelayP99Us: 0 },
    ...{ gcMs: 0, gcLongestMs: 0, clockStrayMs: 0, meanInFlight: 1, looks: 10 },
    ...{ lag, ...changes }
  }
  const health = { valid: false, reasons: ['worker 0 was late'] }
  return { workers: [worker], health }
}

test('a generator that was late does not make a rate that was held unheld', async () => {
  expect(await offered(100, tenMs, await lateWorker())).toMatchObject({ outcome: 'held' })
  const asleep = await lateWorker({ clockStrayMs: 2_000 })
  expect(await offered(100, tenMs, asleep)).toMatchObject({ outcome: 'unoffered' })
})

test('how long the generator had no processor is kept, by waiting or by steal', async () => {
  expect(await offered(100, tenMs, await lateWorker({ waitMs: 500 }))).toMatchObject({
    waitShare: 0.25
  })
  const stolen = await lateWorker({ waitMs: 20, stealShare: 0.4 })
  expect(await offered(100, tenMs, stolen)).toMatchObject({ waitShare: 0.4 })
  expect(await offered(100, tenMs, await lateWorker({ waitMs: 2 }))).not.toHaveProperty('waitShare')
})

test('a rate of which a part was lost was not offered, however punctual the others', async () => {
  const reasons = ['a worker was lost: vm-1 is gone']
  const found = await offered(100, tenMs, {
    lost: ['vm-1 is gone'],
    health: { valid: false, reasons }
  })
  expect(found).toMatchObject({ outcome: 'unoffered', because: reasons[0] })
})

test('a generator at its end says nothing about the target', async () => {
  const health = { valid: false, reasons: ['worker 0 was late'] }
  expect(await offered(600, tenMs, { health })).toMatchObject({
    outcome: 'unoffered',
    binding: 'generator',
    because: 'worker 0 was late'
  })
})

/** Ten requests under little load. */
const little = (p50: number | null, p99: number | null, errors = {}) =>
  ({ requests: 10, timeouts: 0, unfinished: 0, errors, response: { p50, p99 } }) as LoadSummary

test('what little load shows is what most stretches of it show', () => {
  const seen = [little(5, 6), little(5, 90), little(80, 95), little(4, 7), little(5, 6)]
  expect(baselineOf(seen)).toEqual({ p50Us: 5, p99Us: 7 })
})

test('what has no answer when little load is cut short counts as failed', () => {
  const cut = { ...little(null, null), requests: 0, unfinished: 10 }
  expect(baselineOf([cut])).toBe('of 10 requests unfinished 10')
})

test('a target that mostly fails under little load has no baseline', () => {
  const seen = [little(5, 6), little(5, 6, { '5xx': 8 }), little(null, null, { refused: 10 })]
  expect(baselineOf(seen)).toBe('of 30 requests 5xx 8, refused 10')
})
