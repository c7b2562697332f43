import { expect, test } from 'vitest'
import type { Source } from '../../src/engine/load-worker.ts'
import { createObjectiveWatch } from '../../src/engine/objective-watch.ts'
import { createSample } from '../../src/load/figures/sample.ts'
import {
  createLiveCounters,
  createLiveMemory,
  readLive
} from '../../src/load/health/live-counters.ts'
import { closed, hold, type Load, open, warmUp } from '../../src/load/load.ts'

/** A reading with so many requests finished and failed up to a moment. */
function reading(atMs: number, counts: { finished: number; failed: number }) {
  const empty = readLive([createLiveMemory()], atMs)
  return { ...empty, ...counts, begun: counts.finished, measured: counts.finished }
}

const url = 'http://127.0.0.1/'
const plain: Source = { requests: [{ url }] }
const scenario = { unit: {}, target: {} } as Extract<Source, { unit: object }>

function watch(
  load: Load,
  objectives: Parameters<typeof createObjectiveWatch>[0]['objectives'],
  source: Source = plain
) {
  let hopeless = 0
  const onHopeless = () => hopeless++
  const vigil = createObjectiveWatch({ load, seed: 1, source, objectives, onHopeless })
  return { vigil, hopeless: () => hopeless }
}

/** What is said of a load of which so many requests have failed within its first second. */
function saidOf(failed: number, ...watched: Parameters<typeof watch>): string[] {
  const { vigil } = watch(...watched)
  vigil.see(reading(0, { finished: 0, failed: 0 }))
  vigil.see(reading(1_000, { finished: 50, failed }))
  return vigil.broken()
}

test('a load is given up once, as soon as too much has failed for all of it', () => {
  const load = open(hold({ rate: 100, seconds: 10 }))
  const { vigil, hopeless } = watch(load, { errorRatio: 0.01 })
  vigil.see(reading(0, { finished: 0, failed: 0 }))
  vigil.see(reading(1_000, { finished: 100, failed: 10 }))
  expect(hopeless()).toBe(0)
  vigil.see(reading(2_000, { finished: 200, failed: 11 }))
  vigil.see(reading(3_000, { finished: 300, failed: 50 }))
  expect(hopeless()).toBe(1)
  expect(vigil.broken()).toEqual(['given up after 2.0 s: 11 of 1000 requests failed'])
})

/** A reading with so many answers, each after 100 ms. */
function slow(atMs: number, answers: number) {
  const memory = createLiveMemory()
  const live = createLiveCounters(memory)
  for (let count = 0; count < answers; count++) {
    live.begin()
    live.record({ ...createSample(), status: 200, end: 100 }, true)
  }
  return readLive([memory], atMs)
}

test('nobody is given up for being late before it can be told who was', () => {
  const { vigil, hopeless } = watch(open(hold({ rate: 100, seconds: 10 })), { p99Ms: 50 })
  for (const [atMs, answers] of [
    [0, 0],
    [750, 60],
    [1_250, 99]
  ] as const) {
    vigil.see(slow(atMs, answers))
    expect(hopeless()).toBe(0)
  }
  vigil.see(slow(1_500, 100))
  expect(hopeless()).toBe(1)
  const users = watch(closed({ users: 2, iterations: 1_000 }), { p99Ms: 50 })
  users.vigil.see(slow(0, 0))
  users.vigil.see(slow(750, 500))
  expect(users.hopeless()).toBe(0)
  users.vigil.see(slow(1_000, 500))
  expect(users.hopeless()).toBe(1)
})

test('an answer that says no is counted from the first', () => {
  const { vigil, hopeless } = watch(closed({ users: 1, iterations: 100 }), { errorRatio: 0.1 })
  vigil.see(reading(0, { finished: 0, failed: 0 }))
  vigil.see(reading(250, { finished: 20, failed: 20 }))
  expect(hopeless()).toBe(1)
})

test('each stretch is held against its own objectives', () => {
  const load = open(hold({ rate: 100, seconds: 10 }))
  const { vigil, hopeless } = watch(load, { every: { seconds: 1, errorRatio: 0.05 } })
  vigil.see(reading(0, { finished: 0, failed: 0 }))
  vigil.see(reading(500, { finished: 50, failed: 0 }))
  vigil.see(reading(1_000, { finished: 100, failed: 5 }))
  vigil.see(reading(2_000, { finished: 200, failed: 11 }))
  vigil.see(reading(3_000, { finished: 300, failed: 11 }))
  expect(vigil.broken()).toEqual(['from 1.0 s to 2.0 s: 6 of 100 requests failed'])
  expect(hopeless()).toBe(0)
})

test('what happens during warm-up is not held against it', () => {
  const load = open(warmUp(hold({ rate: 100, seconds: 2 })), hold({ rate: 100, seconds: 10 }))
  const { vigil } = watch(load, { errorRatio: 0, every: { seconds: 1, errorRatio: 0 } })
  vigil.see(reading(0, { finished: 0, failed: 0 }))
  vigil.see(reading(1_000, { finished: 100, failed: 100 }))
  vigil.see(reading(2_000, { finished: 200, failed: 150 }))
  vigil.see(reading(3_000, { finished: 300, failed: 150 }))
  expect(vigil.broken()).toEqual([])
})

test('nobody knows how many requests iterations send, and some of them may fail', () => {
  const load = closed({ users: 1, iterations: 30 })
  expect(saidOf(49, load, { errorRatio: 0.2, p99Ms: 10 }, scenario)).toEqual([])
  expect(saidOf(1, load, { errorRatio: 0 }, scenario)).toEqual([
    'given up after 1.0 s: 1 of the requests failed'
  ])
})

test('a stream is one request, however often it goes on', () => {
  const load = closed({ users: 1, iterations: 10 })
  const source = { requests: [{ url, events: { until: 3, reconnects: 3 } }] }
  expect(saidOf(5, load, { errorRatio: 0.5 }, source)).toEqual([])
  expect(saidOf(6, load, { errorRatio: 0.5 }, source)).toHaveLength(1)
})

test('of a load without objectives nothing is missed, however much fails', () => {
  const load = closed({ users: 1, iterations: 10 })
  expect(saidOf(50, load, {})).toEqual([])
  expect(saidOf(50, load, { every: { seconds: 1 } })).toEqual([])
})
