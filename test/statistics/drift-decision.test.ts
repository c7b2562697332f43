import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { driftDecision } from '../../src/statistics/drift-decision.ts'
import { memory, series } from './noise.ts'

const question = (seed = 1) => ({ margin: 5, next: random(seed, 'bootstrap'), resamples: 200 })
const minutes = (count: number, value: (hours: number) => number) =>
  series(count, (minute) => ({ time: minute / 60, value: value(minute / 60) }))

test.each([
  ['level', () => 100, 'stable'],
  ['rising by twice the margin', (t: number) => 100 + 10 * t, 'drift'],
  ['rising by half the margin', (t: number) => 100 + 2.5 * t, 'stable'],
  ['falling', (t: number) => 100 - 20 * t, 'stable'],
  ['rising in the warm-up only', (t: number) => 100 + 50 * Math.min(t, 0.3), 'stable']
])('an hour without noise, %s: %s', (_, value, verdict) => {
  expect(driftDecision(minutes(60, value), question())).toMatchObject({ verdict, further: 0 })
})

test('a leak in noise is drift, with a slope whose interval holds it', () => {
  const decision = driftDecision(memory(180, { leak: 10, next: random(2) }), question())
  expect(decision.verdict).toBe('drift')
  expect(decision.trend.interval.low).toBeLessThan(10)
  expect(decision.trend.interval.high).toBeGreaterThan(10)
  expect(decision.stepAt).toBeUndefined()
})

test('a step is no drift, and it says when', () => {
  const { verdict, stepAt } = driftDecision(memory(60, { step: 20, next: random(3) }), question())
  expect(verdict).toBe('stepped')
  // The memory of the noise blurs it by a few minutes.
  expect(Math.abs(stepAt! - 37 / 60)).toBeLessThanOrEqual(3 / 60)
})

test('a step is seen where there is no noise at all', () => {
  const decision = driftDecision(
    minutes(60, (t) => (t < 0.7 ? 0 : 3)),
    question()
  )
  expect(decision.stepAt).toBeCloseTo(0.7, 1)
  expect(decision.verdict).not.toBe('drift')
})

test('a cache that fills is no drift while its rise dies down', () => {
  const value = (t: number) => 100 + 60 * (1 - Math.exp(-3 * t))
  const decision = driftDecision(minutes(60, value), question())
  expect(decision).toMatchObject({ verdict: 'settling', model: 'settling' })
  expect(decision.halves.first).toBeGreaterThan(2 * decision.halves.second)
  // Sure to rise, not sure to last: each half should be as long as the whole was.
  expect(decision.further).toBeCloseTo(59 / 60, 10)
  // Measured for long enough, it has filled.
  expect(driftDecision(minutes(240, value), question()).verdict).toBe('stable')
})

test.each<[string, string, (t: number) => number]>([
  ['the logarithm of time', 'settling', (t) => 40 * Math.log(1 + 20 * t)],
  ['two steps', 'stepped', (t) => (t < 1.4 ? 0 : t < 2.2 ? 30 : 60)],
  ['teeth longer than half of it', 'cyclic', (t) => 60 * (((t + 0.6) / 1.7) % 1)],
  ['a tooth that began in the warm-up', 'cyclic', (t) => 60 * (((t + 1.7) / 2.4) % 1)],
  ['a wave', 'cyclic', (t) => 40 * Math.sin(t * 2.5)]
])('%s is %s, and no drift', (_, verdict, value) => {
  expect(driftDecision(minutes(180, value), question()).verdict).toBe(verdict)
})

test('what has just begun to rise may be a leak, which it takes long enough to tell', () => {
  const value = (t: number) => 100 + 20 * Math.max(0, t - 2)
  for (const begun of [2.2, 3]) {
    const { verdict, model, ...found } = driftDecision(minutes(begun * 60, value), question())
    expect({ verdict, model }).toEqual({ verdict: 'inconclusive', model: 'begun' })
    expect(found.begun!.since).toBeCloseTo(2, 1)
    expect(found.begun!.slope).toBeCloseTo(20, 0)
    const all = begun * 60 + Math.ceil(60 * found.further)
    expect(driftDecision(minutes(all, value), question()).verdict).toBe('drift')
  }
  // Of less than the margin it is as little as before.
  const slow = minutes(180, (t) => 100 + 4 * Math.max(0, t - 2))
  expect(driftDecision(slow, question()).verdict).toBe('stable')
})

test.each<[string, (t: number) => number]>([
  ['slowly at both ends', (t) => 40 / (1 + Math.exp(-4 * (t - 2)))],
  ['for an hour', (t) => 40 * Math.min(1, Math.max(0, t - 1.5))]
])('what rises %s, and never fell, was not as high before', (_, value) => {
  expect(driftDecision(minutes(180, value), question()).verdict).toBe('inconclusive')
})

test('what is nothing and stays so is stable', () => {
  expect(
    driftDecision(
      minutes(60, () => 0),
      { ...question(), margin: 0 }
    ).verdict
  ).toBe('stable')
})

test('when it cannot tell, that much longer it can', () => {
  const short = memory(40, { next: random(4) })
  const { verdict, further } = driftDecision(short, question())
  expect(verdict).toBe('inconclusive')
  const settled = series(10, (seed) => {
    const long = memory(40 + Math.ceil(60 * further), { next: random(seed, 'long') })
    return driftDecision(long, question(seed)).verdict
  })
  expect(settled.filter((each) => each === 'stable').length).toBeGreaterThanOrEqual(8)
  expect(settled).not.toContain('drift')
})

test('a slope just below the margin does not ask for ever more time', () => {
  const points = memory(120, { leak: 4.5, next: random(6) })
  const { verdict, trend, further } = driftDecision(points, question())
  expect(verdict).toBe('inconclusive')
  expect(trend.slope).toBeCloseTo(4.95, 2)
  // A quarter of the margin is as near as it is worth telling apart: an hour, not days.
  expect(further).toBeGreaterThan(0.5)
  expect(further).toBeLessThan(2)
})

test('too few points say nothing, but how many are missing', () => {
  const { verdict, further } = driftDecision(
    minutes(10, (t) => 100 + 50 * t),
    question()
  )
  expect(verdict).toBe('inconclusive')
  // 20 after a third of warm-up are 30 in all, of which 9 minutes are over.
  expect(further).toBeCloseTo(30 / 60 - 9 / 60, 10)
  expect(() => driftDecision([], question())).toThrow(RangeError)
})

test('units do not matter: days and bytes for hours and megabytes', () => {
  const points = memory(60, { leak: 12, next: random(6) })
  const here = driftDecision(points, question())
  const there = driftDecision(
    points.map(({ time, value }) => ({ time: time / 24, value: value * 1e6 })),
    { ...question(), margin: 5e6 * 24 }
  )
  expect(there.verdict).toBe(here.verdict)
  expect(there.trend.slope / 24e6).toBeCloseTo(here.trend.slope, 6)
  expect(there.further * 24).toBeCloseTo(here.further, 6)
})

test('it does not matter when the clock began', () => {
  const points = memory(60, { leak: 3, next: random(6) })
  const here = driftDecision(points, question())
  const later = points.map(({ time, value }) => ({ time: time + 1000, value }))
  const there = driftDecision(later, question())
  expect(there.verdict).toBe(here.verdict)
  expect(there.trend.slope).toBeCloseTo(here.trend.slope, 6)
  expect(there.further).toBeCloseTo(here.further, 6)
  expect(here.further).toBeGreaterThan(0)
})

test('equal seeds give equal decisions', () => {
  const points = memory(60, { leak: 4, next: random(7) })
  expect(driftDecision(points, question())).toEqual(driftDecision(points, question()))
})

test('all of the time counts when there is no warm-up', () => {
  const value = (t: number) => 100 + 60 * Math.min(t, 0.3)
  expect(driftDecision(minutes(60, value), { ...question(), warmUp: 0 }).verdict).not.toBe('stable')
})
