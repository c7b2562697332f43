import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { theilSen } from '../../src/statistics/theil-sen.ts'
import { trend } from '../../src/statistics/trend.ts'
import { normals, remembering, series } from './noise.ts'

const certainty = () => ({ confidence: 0.95, next: random(5), resamples: 300 })
const noisy = (count: number, noise: () => number, slope: number) =>
  series(count, (time) => ({ time, value: 7 + slope * time + noise() }))

test('the line is that of Theil and Sen, and inside its interval', () => {
  const points = noisy(60, normals(random(1)), 0.5)
  const { slope, intercept, interval } = trend(points, certainty())
  expect({ slope, intercept }).toEqual(theilSen(points))
  expect(interval.low).toBeLessThan(slope)
  expect(interval.high).toBeGreaterThan(slope)
})

test('of independent noise the interval is as wide as theory has it', () => {
  const { interval, sd, memory } = trend(noisy(100, normals(random(2)), 0), certainty())
  // Standard error √(12/n³) of a least-squares slope, over the efficiency 3/π of Theil and Sen.
  const expected = 2 * 1.96 * Math.sqrt((12 / 100 ** 3) * (Math.PI / 3))
  expect((interval.high - interval.low) / expected).toBeGreaterThan(0.7)
  expect((interval.high - interval.low) / expected).toBeLessThan(1.4)
  expect(sd).toBeCloseTo(1, 0)
  expect(memory).toBeLessThan(0.3)
})

test('noise that remembers .8 makes it about three times as wide', () => {
  const alike = trend(noisy(150, remembering(0.8, random(3)), 0), certainty())
  const apart = trend(noisy(150, normals(random(3)), 0), certainty())
  const ratio =
    (alike.interval.high - alike.interval.low) / (apart.interval.high - apart.interval.low)
  expect(alike.memory).toBeGreaterThan(0.6)
  expect(alike.memory).toBeLessThan(0.95)
  expect(ratio).toBeGreaterThan(1.8)
  expect(ratio).toBeLessThan(4.5)
})

test('adding a line moves the interval along with the slope', () => {
  const level = noisy(40, remembering(0.5, random(4)), 0)
  const rising = level.map(({ time, value }) => ({ time, value: value + 3 * time }))
  const [here, there] = [trend(level, certainty()), trend(rising, certainty())]
  expect(there.interval.low).toBeCloseTo(here.interval.low + 3, 8)
  expect(there.interval.high).toBeCloseTo(here.interval.high + 3, 8)
})

test('no noise, no doubt; too few points, nothing but doubt', () => {
  const exact = trend(
    noisy(20, () => 0, 2),
    certainty()
  )
  expect(exact.interval.low).toBeCloseTo(2, 10)
  expect(exact.interval.high).toBeCloseTo(2, 10)
  const few = trend(
    noisy(7, () => 0, 2),
    certainty()
  )
  expect(few).toMatchObject({ slope: 2, interval: { low: -Infinity, high: Infinity } })
})
