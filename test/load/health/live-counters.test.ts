import { describe, expect, test } from 'vitest'
import { broken, hopeless } from '../../../src/load/figures/bounds.ts'
import { createSample, type Ending } from '../../../src/load/figures/sample.ts'
import {
  between,
  cellOf,
  cellTopUs,
  createLiveCounters,
  createLiveMemory,
  readLive,
  type Window
} from '../../../src/load/health/live-counters.ts'

/** A window in which responses took so many milliseconds each, or ended otherwise. */
function windowOf(responsesMs: number[], endings: Ending[] = [], dropped = 0): Window {
  const memory = createLiveMemory()
  const live = createLiveCounters(memory)
  const before = readLive([memory], 0)
  const record = (ending: Ending, ms: number) => {
    live.begin()
    live.arrive()
    const status = ending === 'answered' ? 200 : 0
    live.record({ ...createSample(), ending, status, end: ms }, true)
  }
  for (const ms of responsesMs) record('answered', ms)
  for (const ending of endings) record(ending, 1_000)
  for (let count = 0; count < dropped; count++) {
    live.arrive()
    live.drop()
  }
  return between(before, readLive([memory], 250))
}

describe('cells', () => {
  const values = [0, 1, 63, 64, 127, 128, 1_000, 65_535, 65_536, 1e6, 3e7, 2 ** 31 - 1]

  test.each(values)('that of %i µs ends at most a sixty-fourth above it', (us) => {
    const top = cellTopUs(cellOf(us))
    expect(top).toBeGreaterThanOrEqual(us)
    expect(top - us).toBeLessThanOrEqual(us / 64)
  })

  test('follow each other without a gap', () => {
    for (let us = 0; us < 5_000; us++) {
      const step = cellOf(us + 1) - cellOf(us)
      expect(step === 0 || (step === 1 && cellTopUs(cellOf(us)) === us)).toBe(true)
    }
  })
})

describe('a window', () => {
  test('says what happened between two readings', () => {
    const window = windowOf([1, 2, 3, 4], ['timeout', 'refused'], 3)
    expect(window).toMatchObject({
      fromMs: 0,
      toMs: 250,
      begun: 6,
      finished: 6,
      measured: 6,
      failed: 2,
      dropped: 3
    })
    expect(window.inFlight).toBe(0)
    // The refusal is no latency; the timeout is one.
    expect(window.percentileUs(60)! / 3_000).toBeCloseTo(1, 1)
    expect(window.percentileUs(100)! / 1_000_000).toBeCloseTo(1, 1)
    expect(window.countAboveUs(2_500)).toBe(3)
  })

  test('without responses has no percentiles', () => {
    expect(windowOf([]).percentileUs(50)).toBeNull()
  })

  test('sums the workers, and only what is new', () => {
    const memories = [createLiveMemory(), createLiveMemory()]
    const [one, other] = memories.map(createLiveCounters)
    one!.begin()
    const earlier = readLive(memories, 100)
    for (const live of [one!, other!]) {
      live.begin()
      live.record({ ...createSample(), status: 200, end: 5 }, true)
    }
    const window = between(earlier, readLive(memories, 200))
    expect(window).toMatchObject({ fromMs: 100, toMs: 200, begun: 2, finished: 2, inFlight: 1 })
  })

  test('counts on when a counter has come round', () => {
    const memory = createLiveMemory()
    new Uint32Array(memory)[0] = 2 ** 32 - 1
    const earlier = readLive([memory], 0)
    createLiveCounters(memory).begin()
    expect(between(earlier, readLive([memory], 1)).begun).toBe(1)
  })
})

describe('bounds', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => (index === 0 ? 50 : 5))

  test.each([
    ['a latency one in a hundred may exceed', { p99Ms: 10 }, 0],
    ['a latency none may', { maxMs: 10 }, 1],
    ['a latency half of them do', { p50Ms: 4 }, 1],
    ['no failures', { errorRatio: 0 }, 0]
  ])('%s', (_, bounds, count) => {
    expect(broken(windowOf(hundred), bounds)).toHaveLength(count)
  })

  test('failures count against what was asked, and drops against what arrived', () => {
    const window = windowOf(hundred, ['reset'], 2)
    expect(broken(window, { errorRatio: 1 / 101, droppedRatio: 2 / 103 })).toEqual([])
    expect(broken(window, { errorRatio: 0.009, droppedRatio: 0.019 })).toHaveLength(2)
  })

  test('nothing is broken where nothing happened', () => {
    expect(broken(windowOf([]), { p99Ms: 1, errorRatio: 0, droppedRatio: 0 })).toEqual([])
  })

  test('a load is hopeless once the rest cannot make up for what went wrong', () => {
    const planned = (requests: number) => ({ requests, arrivals: 1_000 })
    const late = windowOf(Array.from({ length: 11 }, () => 50))
    expect(hopeless(late, { p99Ms: 10 }, planned(1_100))).toEqual([])
    expect(hopeless(late, { p99Ms: 10 }, planned(1_000))).toHaveLength(1)
    expect(hopeless(late, { p99Ms: 10 }, planned(Infinity))).toEqual([])
    expect(hopeless(windowOf([], ['reset']), { errorRatio: 0.001 }, planned(1_000))).toEqual([])
    const two = windowOf([], ['reset', 'reset'])
    expect(hopeless(two, { errorRatio: 0.001 }, planned(1_000))).toHaveLength(1)
    const dropped = windowOf([], [], 11)
    expect(hopeless(dropped, { droppedRatio: 0.011 }, planned(Infinity))).toEqual([])
    expect(hopeless(dropped, { droppedRatio: 0.01 }, planned(Infinity))).toEqual([
      '11 of 1000 arrivals were dropped'
    ])
  })
})
