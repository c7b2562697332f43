import { expect, test } from 'vitest'
import { type Random, random } from '../../src/random.ts'
import {
  type QueueTrial,
  queueCapacity,
  type ServiceTimes,
  spreadOf,
  variationOf
} from '../../src/statistics/queue-capacity.ts'
import { series } from './noise.ts'

type Law = (next: Random) => number

const exponential: Law = (next) => -0.005 * Math.log(1 - next())

/** Two seconds of even arrivals at one lane that has nothing to do. */
function trialAt(load: number, law: Law, next: Random): QueueTrial {
  let [free, late] = [0, 0]
  const count = 2 * load
  for (let nth = 0; nth < count; nth++) {
    const due = nth / load
    free = Math.max(free, due) + law(next)
    if (free - due > 0.1) late++
  }
  return { load, seconds: 2, lateShare: late / count, behind: Math.max(0, free - 2) }
}

const lightly = (law: Law, next: Random): ServiceTimes =>
  series(300, () => ({ seconds: law(next), count: 1 }))

const bound = { seconds: 0.1, share: 0.01 }

function found(law: Law, seed: number) {
  const next = random(seed)
  const service = lightly(law, next)
  const trials = series(30, () => trialAt(155 + 45 * next(), law, next))
  return queueCapacity(trials, { service, bound, confidence: 0.95 })!
}

test('what one lane of exponential service holds in the long run is in 19 of 20 intervals', () => {
  // D/M/1: 1 % of responses take longer than 100 ms at 175.9/s, where 200/s are served.
  const all = series(20, (nth) => found(exponential, nth))
  const inside = all.filter(({ low, high }) => low <= 175.9 && high >= 175.9)
  expect(inside.length).toBeGreaterThanOrEqual(19)
  expect(all.every(({ low, high }) => high < 1.2 * low)).toBe(true)
  expect(all.every(({ served }) => served > 185 && served < 215)).toBe(true)
})

test('a queue forgets how it began in as long as its decay and slack say', () => {
  // 4 ÷ (46 per second × 12 % of slack) = 0.7 s.
  const { renewal } = found(exponential, 3)
  expect(renewal).toBeGreaterThan(0.4)
  expect(renewal).toBeLessThan(1.2)
})

test('no load is held where service alone takes longer than the bound too often', () => {
  const service = [
    { seconds: 0.005, count: 98 },
    { seconds: 0.2, count: 2 }
  ]
  const trials = [trialAt(100, exponential, random(1))]
  expect(queueCapacity(trials, { service, bound, confidence: 0.95 })).toBeUndefined()
  expect(queueCapacity([], { service, bound, confidence: 0.95 })).toBeUndefined()
})

test('how much service varies, as a squared share of its mean', () => {
  const { scv, logError } = variationOf([
    { seconds: 1, count: 50 },
    { seconds: 3, count: 50 }
  ])
  expect(scv).toBeCloseTo(0.25, 10)
  expect(logError).toBeCloseTo(0, 10)
  expect(variationOf([{ seconds: 1, count: 9 }])).toEqual({ scv: 0, logError: 0 })
})

test('chance matters where it moves what a trial holds by 2 % or more', () => {
  expect(spreadOf(1, { rate: 200, seconds: 2 }, bound)).toBeCloseTo(0.05, 10)
  expect(spreadOf(0.1, { rate: 200, seconds: 2 }, bound)).toBeUndefined()
  expect(spreadOf(1, { rate: 20_000, seconds: 2 }, bound)).toBeUndefined()
})
