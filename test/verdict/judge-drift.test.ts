import { expect, test } from 'vitest'
import { createHistogram } from '../../src/load/figures/histogram.ts'
import { judgeDrift } from '../../src/verdict/judge-drift.ts'
import type { Stretch } from '../../src/verdict/stretch.ts'

function response(ms: number) {
  const histogram = createHistogram()
  for (let n = 0; n < 100; n++) histogram.record(ms)
  const found = histogram.distribution()
  return found
}

type Moment = {
  ms?: number
  failures?: number
  answers?: number
  rss?: number
  process?: string
  isVoid?: boolean
}

/** An hour of minutes, each as told by how far into the hour it is, from 0 to 1. */
function hour(tell: (share: number) => Moment, count = 60): Stretch[] {
  return Array.from({ length: count }, (_, minute): Stretch => {
    const { ms = 1, failures = 0, rss, process = 'one', isVoid = false } = tell(minute / count)
    const { answers = 1_000 } = tell(minute / count)
    const counts = { requests: 1_000, failures, answers }
    const load = { seconds: 60, ...counts, response: response(ms), cpuUs: 1e5 }
    return {
      seconds: 60,
      voidSeconds: isVoid ? 60 : 0,
      ...(isVoid ? {} : { load }),
      floors: { ...(rss !== undefined && { rss: rss * 1e6 }) },
      process
    }
  })
}

/** Of a thousand requests not one is answered. */
const gone: Moment = { failures: 1_000, answers: 0, ms: 10_000 }

const terms = { budget: 0.05, seed: 1 }
const verdictOf = (tell: (share: number) => Moment) => judgeDrift(hour(tell), terms)

test.each<[string, string, string, (share: number) => Moment]>([
  ['nothing changes', 'stable', 'surely stay within', () => ({ rss: 100 })],
  ['memory grows', 'drift', 'rss rises by 9', (at) => ({ rss: 100 + 10 * at })],
  ['latency grows', 'drift', 'p50 rises by', (at) => ({ ms: 1 + at })],
  ['memory shrinks', 'stable', '', (at) => ({ rss: 100 - 10 * at })],
  ['a third is warm-up', 'stable', '', (at) => ({ rss: 100 + 60 * Math.min(at, 0.3) })],
  [
    'a level shifts',
    'stepped',
    'rose at once and not steadily, after 0.6',
    (at) => ({ rss: at < 0.6 ? 100 : 130 })
  ],
  [
    'memory begins to grow',
    'inconclusive',
    'rss rises since 0.72 h, by 100 % an hour, too short to call it a leak',
    (at) => ({ rss: 100 + 100 * Math.max(0, at - 0.7) })
  ],
  [
    'a cache fills',
    'settling',
    'ever more slowly',
    (at) => ({ rss: 160 - 60 * Math.exp(-3 * at) })
  ],
  [
    'requests begin to fail',
    'drift',
    'began to fail after 0.7',
    (at) => ({ failures: at < 0.7 ? 0 : 300 })
  ],
  [
    'hardly any request works',
    'inconclusive',
    '60000 of 60000 requests failed',
    () => ({ failures: 1_000 })
  ],
  [
    'every other request fails from the start, by luck one less in the beginning',
    'inconclusive',
    'does not answer as it should',
    (at) => ({ failures: at === 0 ? 499 : 502 })
  ],
  [
    'a target dies early on',
    'drift',
    'answered at first',
    (at) => (at < 0.2 ? {} : { failures: 1_000 })
  ],
  [
    'a target dies on the way',
    'inconclusive',
    'answers no longer: nothing came back in the last 24 min',
    (at) => (at < 0.6 ? {} : gone)
  ],
  [
    'a target dies on the way, in the midst of a stretch',
    'inconclusive',
    'answers no longer: nothing came back in the last 23 min',
    (at) => (at < 0.6 ? {} : at < 0.61 ? { failures: 400, answers: 600 } : gone)
  ],
  [
    'a target hangs in the last stretch',
    'inconclusive',
    'hardly anything came back in the last 60 s',
    (at) => (at < 0.98 ? {} : { failures: 600, answers: 400 })
  ],
  [
    'a target dies whose memory grew',
    'inconclusive',
    'in the last 3 min; of what was read, rss rises by',
    (at) => (at < 0.95 ? { rss: 100 + 10 * at } : gone)
  ],
  [
    'a target is gone for a while',
    'inconclusive',
    'was gone for 24 min',
    (at) => (at < 0.5 || at >= 0.9 ? {} : gone)
  ],
  [
    'a target is gone for a moment',
    'inconclusive',
    'was gone for 60 s: nothing',
    (at) => (Math.round(at * 60) === 50 ? gone : {})
  ],
  [
    'memory grows, and a target is gone for a moment',
    'drift',
    'rss rises by 9',
    (at) => (Math.round(at * 60) === 50 ? gone : { rss: 100 + 10 * at })
  ],
  [
    'the generator gives out',
    'inconclusive',
    "generator's own",
    (at) => ({ isVoid: at > 0.5, rss: 100 })
  ]
])('%s: %s', (_, verdict, because, tell) => {
  const found = verdictOf(tell)
  expect(found.verdict).toBe(verdict)
  expect(found.because).toContain(because)
})

test('a drift is told with its slope, in the metric’s own unit an hour', () => {
  const { metrics, furtherSeconds, seconds } = verdictOf((at) => ({ rss: 100 + 10 * at }))
  const { slope, interval, unit, level, margin, halves, gates } = metrics.rss!
  expect(slope / 1e7).toBeCloseTo(1, 2)
  expect(interval[0] / 1e7).toBeCloseTo(1, 2)
  expect(interval[1] / 1e7).toBeCloseTo(1, 2)
  expect(halves.map((half) => Math.round(half / 1e6))).toEqual([10, 10])
  expect(unit).toBe('bytes')
  expect(margin).toBeCloseTo(0.05 * level)
  expect(gates).toBe(true)
  expect(furtherSeconds).toBe(0)
  expect(seconds).toBe(3_600)
})

test('only what decides makes a verdict; the rest is told all the same', () => {
  const slower = hour((at) => ({ ms: 1 + at, rss: 100 }))
  const found = judgeDrift(slower, { ...terms, budgets: { rss: 0.05 } })
  expect(found.verdict).toBe('stable')
  expect(found.metrics.p50).toMatchObject({ verdict: 'drift', gates: false })
  expect(judgeDrift(slower, { ...terms, budgets: { p50: 2 } }).verdict).toBe('stable')
  expect(judgeDrift(slower, { ...terms, budgets: { throughput: 0.05 } }).verdict).toBe('stable')
})

test('what must not fall is turned over and back', () => {
  const falling = hour((at) => ({ failures: Math.round(200 * at) }))
  const found = judgeDrift(falling, { ...terms, budgets: { throughput: 0.05 } })
  expect(found.verdict).toBe('drift')
  expect(found.because).toMatch(/^throughput falls by/)
  const { slope, interval } = found.metrics.throughput!
  expect(slope).toBeLessThan(0)
  expect(interval[0]).toBeLessThanOrEqual(slope)
  expect(interval[1]).toBeGreaterThanOrEqual(slope)
})

test('a process that was replaced is judged from where it began', () => {
  const replaced = hour((at) => ({
    rss: at < 0.3 ? 100 + 500 * at : 100,
    process: at < 0.3 ? 'one' : 'two'
  }))
  expect(judgeDrift(replaced, terms).metrics.rss).toMatchObject({ verdict: 'stable', slope: 0 })
})

test('what was asked for and never read leaves it open', () => {
  const found = judgeDrift(
    hour(() => ({})),
    { ...terms, budgets: { heap: 0.05 } }
  )
  expect(found).toMatchObject({
    verdict: 'inconclusive',
    because: 'heap was not read often enough'
  })
})

test('what was seen for a quarter of the time is not judged as if that were all', () => {
  const seen = hour((at) => (at < 0.25 ? { rss: 100 + 40 * at } : {}))
  const found = judgeDrift(seen, { ...terms, budgets: { rss: 0.05 } })
  expect(found.verdict).toBe('inconclusive')
  expect(found.because).toBe('rss was seen in 25 % of the time')
  expect(found.furtherSeconds).toBe(0)
})

test('a gauge that is nothing all the time is stable', () => {
  expect(verdictOf(() => ({ rss: 0 })).metrics.rss!.verdict).toBe('stable')
})

test('a soak that was too short says how much longer it takes', () => {
  const { verdict, furtherSeconds } = judgeDrift(
    hour(() => ({ rss: 100 }), 10),
    terms
  )
  expect(verdict).toBe('inconclusive')
  expect(furtherSeconds).toBeGreaterThan(60)
  expect(judgeDrift([], terms)).toMatchObject({ verdict: 'inconclusive', metrics: {}, seconds: 0 })
})
