import { describe, expect, test } from 'vitest'
import { createHistogram, mergeDistributions } from '../../../src/load/figures/histogram.ts'
import { mergeTallies } from '../../../src/load/figures/metrics.ts'
import type { LoadResult } from '../../../src/load/figures/result.ts'
import { summary } from '../../../src/load/figures/summary.ts'
import { noConnections } from '../../../src/load/transports/transport.ts'

const distribution = (...valuesMs: number[]) => {
  const histogram = createHistogram()
  for (const ms of valuesMs) histogram.record(ms)
  return histogram.distribution()
}

const result: LoadResult = {
  model: 'open',
  tally: {
    ...mergeTallies([]),
    results: { 200: 90, 404: 2, 500: 3, 503: 1, timeout: 4, reset: 5 },
    response: distribution(1, 2, 3),
    service: distribution(1),
    dropped: 7,
    bytes: { sent: 10, received: 20 }
  },
  workers: [1, 2].map((n) => ({
    lag: distribution(...Array.from({ length: n === 1 ? 7 : 100 }, () => n / 10)),
    meanInFlight: 1,
    looks: 10,
    wallMs: 2_000,
    cpuMs: 105,
    eventLoopUtilization: n / 10,
    eventLoopDelayP99Us: 1,
    gcMs: 0,
    gcLongestMs: 0,
    clockStrayMs: 0
  })),
  health: { valid: true, reasons: [] },
  connections: { ...noConnections(), unsolicited: 2 },
  begun: 105,
  unfinished: 0,
  faults: {},
  durationMs: 2_000.4
}

test('is the document of the contract', () => {
  expect(summary(result)).toMatchObject({
    requests: 105,
    rps: 47.99,
    errors: { '4xx': 2, '5xx': 4, reset: 5 },
    timeouts: 4,
    dropped: 7,
    bytes: { sent: 10, received: 20 },
    durationMs: 2_000,
    response: {
      p50: 2_000,
      p90: 3_000,
      p95: 3_000,
      p99: 3_000,
      p999: 3_000,
      max: 3_000,
      mean: 2_000
    },
    service: { p50: 1_000, max: 1_000 },
    generator: {
      valid: true,
      offered: 107,
      achieved: 100,
      lagP99Us: 200,
      cpuUsPerRequest: 2_000,
      eventLoopUtilization: 0.2,
      reasons: []
    },
    statuses: { 200: 90, 404: 2, 500: 3, 503: 1 },
    connections: { unsolicited: 2 }
  })
})

test('what no request waited for is no failed request', () => {
  expect(summary(result).errors).toEqual({ '4xx': 2, '5xx': 4, reset: 5 })
})

describe('publishes no percentile', () => {
  const none = { p50: null, p90: null, p95: null, p99: null, p999: null, max: null, mean: null }

  test('of a load whose generator was the bottleneck', () => {
    const health = { valid: false, reasons: ['because'] }
    const { response, service, firstByte, connect, generator, requests } = summary({
      ...result,
      health
    })
    for (const published of [response, service, firstByte, connect]) expect(published).toEqual(none)
    expect(generator).toMatchObject({ valid: false, reasons: ['because'] })
    expect(requests).toBe(105)
  })

  test('where nothing was measured', () => {
    const tally = { ...mergeTallies([]), response: mergeDistributions([]) }
    const { response, rps, generator } = summary({ ...result, tally, workers: [], durationMs: 0 })
    expect(response).toEqual(none)
    expect(rps).toBe(0)
    expect(generator).toMatchObject({ lagP99Us: 0, cpuUsPerRequest: 0, eventLoopUtilization: 0 })
  })
})

test('late arrivals give bounds, but not where the thread had no processor', () => {
  const boundsOf = (waitMs: number) => {
    const workers = result.workers.map((worker) => ({ ...worker, waitMs }))
    return summary({ ...result, workers }).generator.bounds
  }
  // Lateness of 0.2 ms is worth a word beside responses of 2 ms.
  expect(boundsOf(400)).toMatchObject({ p50: [expect.any(Number), 2_000] })
  expect(boundsOf(600)).toBeUndefined()
})
