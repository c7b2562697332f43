import { describe, expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { judgePair } from '../../src/verdict/judge-pair.ts'
import { guardedWorse } from '../../src/verdict/pair-guard.ts'
import { looksUpTo } from '../../src/verdict/pair-plan.ts'
import type { Block, Trial } from '../../src/verdict/trial.ts'
import { normals, series } from '../statistics/noise.ts'
import { trialOfUs } from './pairs.ts'

const margins = { nothing: Math.log(1.01), budget: Math.log(1.05) }

/** What a target does besides taking a millisecond for a request. */
type Fault = { stallMs?: number; slowShare?: number; failShare?: number; rss?: number }

/** What a trial takes, with what goes on before the next. */
const trialMs = 77

/** A trial of 60 ms on it, of one request after the other. */
function trial(fault: Fault, next: () => number, beganMs: number): Trial {
  const { stallMs = 0, slowShare = 0, failShare = 0, rss = 50e6 } = fault
  const normal = normals(next)
  const times: number[] = []
  for (let spent = 0; spent < 60_000; ) {
    const isSlow = next() < slowShare
    const [from, to] = [beganMs + spent / 1_000, beganMs + spent / 1_000 + 1]
    const stallUs = Math.floor(to / 1_000) > Math.floor(from / 1_000) ? stallMs * 1_000 : 0
    times.push(1_000 * Math.exp(0.05 * normal()) * (isSlow ? 10 : 1) + stallUs)
    spent += times.at(-1)!
  }
  const sorted = times.toSorted((one, other) => one - other)
  const at = (q: number) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!
  const sum = times.reduce((total, us) => total + us, 0)
  return trialOfUs(at(0.5), {
    ...{ p90Us: at(0.9), p99Us: at(0.99), meanUs: sum / times.length },
    ...{ perSecond: times.length / (sum / 1e6), requests: times.length },
    ...{ failures: times.filter(() => next() < failShare).length },
    ...{
      cpuUsPerRequest: 500 * Math.exp(0.02 * normal()),
      rssBytes: rss * Math.exp(0.01 * normal())
    }
  })
}

/** Pairs of a whole comparison by URL, or blocks of six pairs on processes of their own. */
function compared(
  fault: Fault,
  { seed, count, each }: { seed: number; count: number; each: number }
) {
  const next = random(seed, 'guard')
  // So that stalls once a second come at any moment of trials.
  let nowMs = 1_000 * next()
  const blocks = series(
    count,
    (): Block =>
      series(each, () => {
        const a = trial({}, next, nowMs)
        const b = trial(fault, next, nowMs + trialMs)
        nowMs += 2 * trialMs
        return { a, b }
      })
  )
  const unit = each > 1 ? ('processes' as const) : ('pair' as const)
  const looks = { ...looksUpTo(count, unit), at: [count] }
  return judgePair(blocks, { metric: 'p50', margins, looks, unit })
}

describe.each([
  ['by URL', { count: 300, each: 1 }],
  ['on 40 starts of each', { count: 40, each: 18 }]
])('%s', (_, size) => {
  test.each([
    ['80 ms of stalls every second', { stallMs: 80 }, /^p50 is .* apart .* (mean: some|second in)/],
    ['1 % of requests that take ten times as long', { slowShare: 0.01 }, /slowest hundredth|mean/],
    ['0.5 % of requests that fail', { failShare: 0.005 }, /of B's requests failed, 0 % of A's/],
    ['a fifth more memory', { rss: 60e6 }, /B holds (19|20)\.?\d* % more memory/]
  ])('%s are no "no-regression"', (_, fault, because) => {
    const found = series(10, (seed) => compared(fault, { seed, ...size }))
    expect(found.filter(({ verdict }) => verdict === 'regressed').length).toBeGreaterThanOrEqual(9)
    for (const one of found) if (one.verdict === 'regressed') expect(one.because).toMatch(because)
  })

  test('what is the same in all of these is not worse in any', () => {
    const found = series(40, (seed) => compared({}, { seed, ...size }))
    expect(found.map(({ verdict }) => verdict)).toEqual(Array(40).fill('no-regression'))
  })
})

test('a metric that gates is not guarded, and what is within its budget is let be', () => {
  const given = { gating: 'p50' as const, budget: Math.log(1.05), level: 0.01 }
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
      'p50 is 0.1 % apart at best estimate; ' +
      "the slowest hundredth of B's requests takes 3.0 times as long"
  })
})
