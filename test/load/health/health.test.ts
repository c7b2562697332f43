import { describe, expect, test } from 'vitest'
import {
  createHistogram,
  type Distribution,
  mergeDistributions
} from '../../../src/load/figures/histogram.ts'
import { waitedMs } from '../../../src/load/health/generator-health.ts'
import {
  type HealthInput,
  invalidReasons,
  type WorkerHealth
} from '../../../src/load/health/health.ts'
import { noConnections } from '../../../src/load/transports/transport.ts'

const distribution = (...valuesMs: number[]): Distribution => {
  const histogram = createHistogram()
  for (const ms of valuesMs) histogram.record(ms)
  return histogram.distribution()
}

const nothing = mergeDistributions([])

const healthy: WorkerHealth = {
  lag: nothing,
  meanInFlight: 10,
  looks: 1_000,
  wallMs: 10_000,
  cpuMs: 3_000,
  eventLoopUtilization: 0.4,
  eventLoopDelayP99Us: 500,
  gcMs: 20,
  gcLongestMs: 3,
  clockStrayMs: 0.5
}

/** A load of 10 s in which 1,000 responses took 100 ms each, so that 10 were in flight. */
const input = (
  changes: Partial<WorkerHealth> = {},
  others: Partial<HealthInput> = {}
): HealthInput => ({
  model: 'closed',
  workers: [{ ...healthy, ...changes }],
  durationMs: 10_000,
  tally: {
    response: { ...nothing, count: 1_000, sumUs: 1_000 * 100_000 },
    results: { 200: 1_000 }
  },
  connections: noConnections(),
  unfinished: 0,
  faults: {},
  ...others
})

const lags = (lateMs: number, late: number) =>
  distribution(...Array.from({ length: 1_000 }, (_, n) => (n < late ? lateMs : 0.02)))

test('a load whose generator kept up has no reasons against it', () => {
  expect(invalidReasons(input())).toEqual([])
})

test('what iterations take besides requests is accounted for', () => {
  // Each iteration takes a second, in which its one request takes a tenth.
  const { tally } = input()
  const iteration = { ...nothing, count: 1_000, sumUs: 1_000 * 1_000_000 }
  const paused = (meanInFlight: number) =>
    invalidReasons(input({ meanInFlight }, { tally: { ...tally, iteration } }))
  expect(paused(100)).toEqual([])
  expect(paused(300)).toEqual([expect.stringMatching(/unaccounted for/)])
})

test('what a target breaks off was in flight until then', () => {
  // Half of the requests are answered in a tenth of a second, half are reset after a second.
  const response = { ...nothing, count: 500, sumUs: 500 * 100_000 }
  const tally = { response, failedUs: 500 * 1_000_000, results: { 200: 500, reset: 500 } }
  const broken = (meanInFlight: number) => invalidReasons(input({ meanInFlight }, { tally }))
  expect(broken(55)).toEqual([])
  expect(broken(200)).toEqual([expect.stringMatching(/unaccounted for/)])
  expect(broken(5)).toEqual([expect.stringMatching(/unaccounted for/)])
})

test('what is waited for when the load is over is in flight when nobody looks any more', () => {
  // Half of them hang from the last second on, and are given up after ten more.
  const tally = {
    response: { ...nothing, count: 1_000, sumUs: 500 * 100_000 + 500 * 10_500_000 },
    results: { 200: 500, timeout: 500 }
  }
  const after = { ms: 10_000, requestsMs: 500 * 10_000, iterationsMs: 0 }
  const hung = (meanInFlight: number, told: Partial<HealthInput>) =>
    invalidReasons(input({ meanInFlight }, { tally, durationMs: 20_000, ...told }))
  expect(hung(30, { after })).toEqual([])
  expect(hung(30, {})).toEqual([expect.stringMatching(/unaccounted for/)])
  expect(hung(80, { after })).toEqual([expect.stringMatching(/unaccounted for/)])
})

test('where nothing was measured, as without any worker, nothing is unaccounted for', () => {
  const tally = { response: nothing, results: { 200: 1 } }
  expect(invalidReasons(input({}, { workers: [], durationMs: 0, tally }))).toEqual([])
})

test('lateness is held against the figures that are published', () => {
  const slow = distribution(...Array.from({ length: 1_000 }, (_, n) => (n < 500 ? 500 : 3_600)))
  const tally = { response: slow, results: { 200: 1_000 } }
  const late = (ms: number, tally: HealthInput['tally']) => {
    const of = { model: 'open' as const, durationMs: 0, tally }
    return invalidReasons(input({ lag: lags(ms, 20) }, of))
  }
  expect(late(166, tally)).toEqual([])
  expect(late(400, tally)).toEqual([expect.stringMatching(/1 in 100 arrivals go more than 400/)])
  const often = { model: 'open' as const, durationMs: 0, tally }
  expect(invalidReasons(input({ lag: lags(166, 900) }, often))).toEqual([
    expect.stringMatching(/1 in 2 arrivals/)
  ])
})

test('waits that are short, or of an open load, whose lateness is known, are let be', () => {
  expect(invalidReasons(input({ waitMs: 2_000, eventLoopDelayP99Us: 2e5 }))).toEqual([])
  expect(invalidReasons(input({ waitMs: 1_500, standstillMs: 900 }))).toEqual([])
  expect(invalidReasons(input({ waitMs: 8_000 }, { model: 'open' }))).toEqual([])
})

test('a kernel that counts no waits tells none, rather than that there were none', () => {
  expect(waitedMs('621747 1265527 2\n')).toBeCloseTo(1.27, 2)
  expect(waitedMs('621747 0 2\n')).toBe(0)
  expect(waitedMs('0 0 0\n')).toBeUndefined()
  expect(waitedMs('')).toBeUndefined()
})

describe('what makes a load invalid', () => {
  test.each<[string, HealthInput, string]>([
    ['a busy loop', input({ eventLoopUtilization: 0.99 }), 'was busy 99 % of the time'],
    ['late arrivals', input({ lag: lags(15, 20) }, { model: 'open' }), 'let 1 in 100 arrivals go'],
    ['a thread without a processor', input({ waitMs: 4_000 }), 'waited 40 % of the time for a'],
    [
      'a thread that stood still',
      input({ waitMs: 1_000, standstillMs: 3_000 }),
      'stood still, or waited for a processor, 40 % of the time'
    ],
    [
      'a loop that comes back late',
      input({ eventLoopDelayP99Us: 2e5 }),
      'came back to its loop 200'
    ],
    ['a long collection', input({ gcLongestMs: 250 }), 'to collect garbage'],
    ['a clock that was set', input({ clockStrayMs: -3_600_000 }), 'saw the clock jump'],
    ['requests that nobody accounts for', input({ meanInFlight: 100 }), 'unaccounted for'],
    ['latencies of requests that were not there', input({ meanInFlight: 1 }), 'unaccounted for'],
    [
      'ports that ran out',
      input({}, { connections: { ...noConnections(), failed: { exhausted: 7 } } }),
      'ran out of ports or descriptors 7 times'
    ],
    [
      'a scenario that threw',
      input({}, { faults: { 'no such row': 3 } }),
      'threw 3 times: no such row'
    ]
  ])('%s', (_, given, reason) => {
    const reasons = invalidReasons(given)
    expect(reasons).toHaveLength(1)
    expect(reasons[0]).toContain(reason)
  })

  test('each worker answers for itself', () => {
    const workers = [healthy, { ...healthy, meanInFlight: 0, eventLoopUtilization: 1 }]
    expect(invalidReasons(input({}, { workers }))).toEqual([
      'worker 1 was busy 100 % of the time: it, and not the target, set the pace'
    ])
  })
})

describe('what does not', () => {
  test.each<[string, HealthInput]>([
    // An open load keeps its event loop turning between arrivals.
    ['a busy loop of an open load', input({ eventLoopUtilization: 1 }, { model: 'open' })],
    ['a busy loop of a second that is not over', input({ eventLoopUtilization: 1, wallMs: 900 })],
    ['one late arrival in a thousand', input({ lag: lags(15, 1) }, { model: 'open' })],
    ['late arrivals among very few', input({ lag: distribution(15, 15) }, { model: 'open' })],
    ['a clock that is slewed', input({ clockStrayMs: 5 })],
    ['a few looks that saw others', input({ meanInFlight: 100, looks: 20 })],
    ['a few requests more or less in flight', input({ meanInFlight: 11.5 })],
    ['requests that a target never answers', input({ meanInFlight: 50 }, { unfinished: 50 })]
  ])('%s', (_, given) => {
    expect(invalidReasons(given)).toEqual([])
  })
})
