import { expect, test } from 'vitest'
import { createSilenceWatch } from '../../src/engine/silence-watch.ts'
import type { LoadResult } from '../../src/load/figures/result.ts'
import { createSample, type Ending } from '../../src/load/figures/sample.ts'
import {
  createLiveCounters,
  createLiveMemory,
  readLive
} from '../../src/load/health/live-counters.ts'
import { closed, hold, type Load, open } from '../../src/load/load.ts'

type Told = {
  at: number
  begun?: number
  answers?: number
  timeouts?: number
  /** Answers that say no, and connections that are refused. */
  refusals?: number
  refused?: number
  /** What each of them took, but for timeouts. */
  ms?: number
}

/** What is found of a load that was told of like this, of which the last reading may miss some. */
function foundOf(
  load: Load,
  told: readonly Told[],
  { unread = 0, endMs = 9_000, own = {}, waits = [] as number[] } = {}
) {
  const memory = createLiveMemory()
  const live = createLiveCounters(memory)
  const watch = createSilenceWatch({ load, seed: 1 })
  const results: Record<string, number> = { 200: 0, 500: 0, timeout: unread, refused: 0 }
  let all = 0
  for (const {
    at,
    begun = 0,
    answers = 0,
    timeouts = 0,
    refusals = 0,
    refused = 0,
    ms = 10
  } of told) {
    all += begun
    for (let count = 0; count < begun; count++) live.begin()
    const times = { 200: answers, 500: refusals, timeout: timeouts, refused }
    for (const [result, count] of Object.entries(times)) {
      results[result]! += count
      const ending = Number(result) ? 'answered' : (result as Ending)
      const took = { status: Number(result) || 0, end: ending === 'timeout' ? load.timeoutMs : ms }
      for (let n = 0; n < count; n++) live.record({ ...createSample(), ending, ...took }, true)
    }
    watch.see(readLive([memory], at))
  }
  const tally = { results, dropped: 0, own }
  return watch.found({ tally, begun: all, durationMs: endMs, waits } as unknown as LoadResult)
}

const users = closed({ users: 5, seconds: 9, timeoutMs: 5_000 })
const answered = { at: 5_000, begun: 1_005, answers: 1_000 }

test('users who all hang are silent from the last answer on', () => {
  const found = foundOf(users, [answered, { at: 9_000 }], { unread: 5, endMs: 10_000 })
  expect(found).toMatchObject({ unanswered: 5, loadMs: 4_000, afterMs: 1_000 })
  expect(found!.slowestMs).toBeCloseTo(10, 0)
})

test('timeouts on the way are no answers', () => {
  const told = [answered, { at: 7_500, begun: 5, timeouts: 5 }, { at: 9_000 }]
  expect(foundOf(users, told, { unread: 5 })).toMatchObject({ unanswered: 10, loadMs: 4_000 })
})

test('a part of them is silent while others are answered, and where a load is interrupted', () => {
  const told = [answered, { at: 9_000, begun: 900, answers: 900 }]
  const waits = [...Array(20).fill(0), ...Array(16).fill(4)]
  const silent = { unanswered: 4, of: 5, loadMs: 4_000, afterMs: 0 }
  expect(foundOf(users, told, { unread: 4, waits })).toMatchObject(silent)
  expect(foundOf(users, [answered, { at: 9_000 }], { waits })).toMatchObject(silent)
})

test('a stall in the beginning makes no answer usual that takes as long', () => {
  const stall = { at: 4_000, begun: 5, answers: 5, ms: 3_500 }
  const usual = [250, 500, 4_250, 4_500].map((at) => ({ at, begun: 9, answers: 9 }))
  const told = [...usual, stall].sort((one, other) => one.at - other.at)
  const found = foundOf(users, [...told, { at: 9_000, begun: 5 }], { unread: 5 })
  expect(found!.slowestMs).toBeCloseTo(10, 0)
})

test('refused connections are no answers', () => {
  const told = [answered, { at: 7_500, begun: 90, refused: 50, timeouts: 5 }, { at: 9_000 }]
  const found = foundOf(users, [...told, { at: 9_000, refused: 40 }])
  expect(found).toMatchObject({ unanswered: 95, loadMs: 4_000 })
})

test.each<[string, Load, Told[], Parameters<typeof foundOf>[2]]>([
  ['some of them are answered', users, [answered, { at: 9_000, answers: 5 }], { unread: 2 }],
  ['they are refused', users, [answered, { at: 9_000, refusals: 5 }], { unread: 2 }],
  ['nobody is left to answer', users, [{ at: 5_000, begun: 5, answers: 5 }, { at: 9_000 }], {}],
  ['there never was an answer', users, [{ at: 9_000, begun: 5, timeouts: 5 }], {}],
  ['they have streams', users, [answered, { at: 9_000 }], { unread: 5, own: { events: {} } }],
  [
    'no more arrive',
    { ...open(hold({ rate: 50, seconds: 60 })), iterations: 100 },
    [{ at: 2_000, begun: 100, answers: 98 }, { at: 9_000 }],
    { unread: 2, endMs: 12_000 }
  ],
  [
    'all iterations are made',
    closed({ users: 5, iterations: 100 }),
    [{ at: 2_000, begun: 100, answers: 98 }, { at: 9_000 }],
    { unread: 2, endMs: 12_000 }
  ]
])('nothing is silent where %s', (_, load, told, given) => {
  expect(foundOf(load, told, given)).toBe(undefined)
})

test('arrivals that go on unanswered are silent', () => {
  const told = [answered, { at: 8_900, begun: 195 }, { at: 14_000, timeouts: 200 }]
  const load = { ...open(hold({ rate: 1_200 / 9, seconds: 9 })), timeoutMs: 5_000 }
  const found = foundOf(load, told, { endMs: 14_000 })
  expect(found).toMatchObject({ unanswered: 200, loadMs: 3_900, afterMs: 5_100 })
})

test('of requests on one connection those given up with another had no answer either', () => {
  const load = { ...users, pipelining: 4 }
  expect(foundOf(load, [answered, { at: 9_000 }], { unread: 5 })).toMatchObject({ unanswered: 5 })
})
