import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { capacityPosterior, sharpen } from '../../src/statistics/capacity-posterior.ts'
import type { LoadTrial } from '../../src/statistics/load-class.ts'
import { driven } from './driven.ts'
import { series } from './noise.ts'

const at = (load: number, outcome: LoadTrial['outcome']): LoadTrial => ({
  load,
  outcome,
  seconds: 10,
  lossRatio: 0
})

const bracket = (times: number) => [
  ...series(times, () => at(990, 'held')),
  ...series(times, () => at(1010, 'missed'))
]

test('between what is always held and what is always missed', () => {
  const { low, median, high } = capacityPosterior(bracket(10), 0.95)
  expect(median).toBeGreaterThan(990)
  expect(median).toBeLessThan(1010)
  expect(low).toBeGreaterThan(970)
  expect(high).toBeLessThan(1030)
})

test('more trials narrow it, more confidence widens it', () => {
  const width = (times: number, confidence: number) => {
    const { low, high } = capacityPosterior(bracket(times), confidence)
    return high / low
  }
  expect(width(10, 0.95)).toBeLessThan(width(3, 0.95))
  expect(width(5, 0.99)).toBeGreaterThan(width(5, 0.8))
})

test('one glitch far below does not throw it', () => {
  const glitch = [...bracket(10), at(300, 'missed'), at(300, 'held')]
  expect(capacityPosterior(glitch, 0.95).low).toBeGreaterThan(960)
})

test('it scales with the loads', () => {
  const one = capacityPosterior(bracket(5), 0.9)
  const ten = capacityPosterior(
    bracket(5).map((trial) => ({ ...trial, load: 10 * trial.load })),
    0.9
  )
  expect(ten.median / one.median).toBeCloseTo(10, 6)
  expect(ten.low / one.low).toBeCloseTo(10, 6)
})

test('held and missed are mirror images', () => {
  const some = [at(900, 'held'), at(1000, 'held'), at(1000, 'missed'), at(1200, 'missed')]
  const mirrored = some.map(({ load, outcome }) =>
    at(1e6 / load, outcome === 'held' ? 'missed' : 'held')
  )
  const [here, there] = [capacityPosterior(some, 0.9), capacityPosterior(mirrored, 0.9)]
  // To within the distance between the capacities considered.
  expect((1e6 / there.low / here.high - 1) * 100).toBeCloseTo(0, 0)
  expect((1e6 / there.median / here.median - 1) * 100).toBeCloseTo(0, 0)
})

test('what was not offered says nothing, and nothing says nothing', () => {
  const unheard = [...bracket(4), at(500, 'unoffered'), at(20, 'unoffered')]
  expect(capacityPosterior(unheard, 0.9)).toEqual(capacityPosterior(bracket(4), 0.9))
  const none = capacityPosterior([at(5, 'unoffered')], 0.9)
  expect(none).toEqual({ low: 0, median: NaN, high: Infinity })
})

const sharpness = { width: 0.05, confidence: 0.95, seconds: 10, budgetSeconds: 300 }

test('sharpening asks within the interval until it is narrow enough', () => {
  const known = [at(800, 'held'), at(1300, 'missed')]
  const before = capacityPosterior(known, 0.95)
  const { posterior, trials } = driven(sharpen(known, sharpness, random(1)), (load) =>
    load <= 1000 ? { outcome: 'held', lossRatio: 0 } : { outcome: 'missed', lossRatio: 0.1 }
  )
  expect(trials.slice(0, 2)).toEqual(known)
  expect(trials[2]!.load).toBeGreaterThanOrEqual(before.low)
  expect(trials[2]!.load).toBeLessThanOrEqual(before.high)
  expect(posterior.high / posterior.low).toBeLessThanOrEqual(1.05)
  expect(posterior.low).toBeLessThanOrEqual(1000)
  expect(posterior.high).toBeGreaterThanOrEqual(1000)
})

test('what is sharp already is left alone, and no time is no trial', () => {
  const sharp = bracket(20)
  expect(sharpen(sharp, sharpness, random(1)).next().done).toBe(true)
  const blunt = sharpen([at(800, 'held')], { ...sharpness, budgetSeconds: 9 }, random(1))
  expect(blunt.next().done).toBe(true)
})
