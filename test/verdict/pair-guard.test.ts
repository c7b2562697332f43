import { expect, test } from 'vitest'
import { judgePair } from '../../src/verdict/judge-pair.ts'
import { guardedWorse } from '../../src/verdict/pair-guard.ts'
import { looksUpTo } from '../../src/verdict/pair-plan.ts'
import type { Block } from '../../src/verdict/trial.ts'
import { series } from '../statistics/noise.ts'
import { bornAt, chanceOf, type Fault, type Serving, served } from './served.ts'

const margins = { nothing: Math.log(1.01), budget: Math.log(1.05) }

/** What a trial takes, with what goes on before the next. */
const trialMs = 77

/** Pairs of a whole comparison by URL, or blocks of six pairs on processes of their own. */
function compared(
  fault: Fault,
  { seed, count, each }: { seed: number; count: number; each: number }
) {
  const next = chanceOf(seed)
  let nowMs = 1_000 * next()
  let [a, b] = [bornAt(0, next), bornAt(0, next)]
  const trial = (process: Serving, fault: Fault) => {
    nowMs += trialMs
    const one = served(process, { fault, lastsMs: 60, nowMs, next })
    if (each > 1) return one
    // By URL nobody knows whose processor time and memory it is.
    const { cpuUsPerRequest, rssBytes, ...rest } = one
    return rest
  }
  const blocks = series(count, (): Block => {
    if (each > 1) {
      nowMs += 1_700
      ;[a, b] = [bornAt(nowMs, next), bornAt(nowMs, next)]
    }
    return series(each, () => {
      if (next() < 0.5) return { a: trial(a, {}), b: trial(b, fault) }
      const first = trial(b, fault)
      return { a: trial(a, {}), b: first }
    })
  })
  const unit = each > 1 ? ('processes' as const) : ('pair' as const)
  const looks = { ...looksUpTo(count, unit), at: [count] }
  return judgePair(blocks, { metric: 'p50', margins, looks, unit })
}

/** Of so many, those that were seen, and in which words. */
function seenOf(fault: Fault, size: { count: number; each: number }, times = 10) {
  const found = series(times, (nth) => compared(fault, { seed: 5_000 + nth, ...size }))
  return found.filter(({ verdict }) => verdict === 'regressed').map(({ because }) => because)
}

const starts = { count: 24, each: 6 }

// Seeds from 5,000 on had no part in the choice of the procedure.
test.each<[string, Fault, RegExp]>([
  ['80 ms of stalls every second', { stallMs: 80 }, /B's requests take \d+ times .* \d\d ms/],
  ['1 % that take ten times as long', { mode: { share: 0.01, times: 10 } }, /B's requests take/],
  ['1 in 200 that takes 12 times as long', { mode: { share: 0.005, times: 12 } }, /tail from the/],
  ['0.5 % of requests that fail', { failShare: 0.005 }, /of B's requests failed, 0 % of A's/],
  ['a fifth more memory', { rss: 1.2 }, /B holds \d+\.?\d* % more memory/],
  ['a tenth more processor time', { cpu: 1.1 }, /B spends \d+\.?\d* % more processor time/]
])('on starts of each, %s are seen and named', (_, fault, because) => {
  const seen = seenOf(fault, starts)
  expect(seen.length).toBeGreaterThanOrEqual(8)
  for (const one of seen) expect(one).toMatch(because)
})

test('by URL stalls are seen and named', () => {
  const seen = seenOf({ stallMs: 80 }, { count: 200, each: 1 }, 3)
  expect(seen).toHaveLength(3)
  for (const one of seen)
    expect(one).toMatch(/^the median is the same; .* of B's requests take \d\d/)
})

test('what servers do by themselves is not worse in either', () => {
  expect(seenOf({}, starts, 20)).toEqual([])
  expect(seenOf({}, { count: 200, each: 1 }, 3)).toEqual([])
})

test('a metric that gates is not guarded, and what is within its budget is let be', () => {
  const given = {
    gating: ['p50' as const],
    budget: Math.log(1.05),
    levels: { found: 0.01, sure: 0.01 }
  }
  const sure = { p: 0.001 }
  expect(guardedWorse({ p50: { ratio: 2, ...sure } }, given)).toBeUndefined()
  expect(guardedWorse({ p99: { ratio: 1.08, ...sure } }, given)).toBeUndefined()
  expect(guardedWorse({ p99: { ratio: 3, p: 0.02 } }, given)).toBeUndefined()
  expect(guardedWorse({ throughput: { ratio: 1.2, ...sure } }, given)).toBeUndefined()
  expect(
    guardedWorse(
      { p50: { ratio: 1.001, ...sure }, p99: { ratio: 3, ...sure }, mean: { ratio: 1.1, ...sure } },
      given
    )
  ).toEqual({
    metric: 'p99',
    metrics: ['p99', 'mean'],
    because:
      'the median is the same; ' + "the slowest hundredth of B's requests takes 3.0 times as long"
  })
})

test.each([
  [1.001, 'the median is the same; B takes 8 % longer in the mean: some requests stall'],
  [
    1.048,
    'the median is 4.8 % higher at best estimate; ' +
      'B takes 8 % longer in the mean: requests are slower as a whole'
  ],
  [
    0.952,
    'the median is 4.8 % lower at best estimate; ' +
      'B takes 8 % longer in the mean: some requests stall'
  ]
])('a mean that is worse beside a median of %s', (ratio, because) => {
  const given = {
    gating: ['p50' as const],
    budget: Math.log(1.05),
    levels: { found: 0.01, sure: 0.01 }
  }
  const found = guardedWorse({ p50: { ratio, p: 0.001 }, mean: { ratio: 1.08, p: 0.001 } }, given)
  expect(found?.because).toBe(because)
})
