import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { wanderingCapacity } from '../../src/statistics/capacity-wander.ts'
import type { LoadTrial } from '../../src/statistics/load-class.ts'
import { normals, series } from './noise.ts'

/** Trials at loads within 6 % of 100, where what is held is told by place. */
function trials(held: (place: number) => number, seed = 1): LoadTrial[] {
  const next = random(seed, 'loads')
  return series(40, (place) => {
    const load = 94 + 12 * next()
    const outcome = load <= held(place) ? ('held' as const) : ('missed' as const)
    return { load, seconds: 2, outcome, lossRatio: 0 }
  })
}

test('one that is steady hardly wanders, and is where it is', () => {
  const found = wanderingCapacity(
    trials(() => 100),
    0.95
  )
  expect(found.wandering).toBeLessThan(0.2)
  expect(found.low).toBeLessThanOrEqual(100)
  expect(found.high).toBeGreaterThanOrEqual(100)
  expect(found.high / found.low).toBeLessThan(1.05)
})

test('of ten that vary from trial to trial by one per cent at most one seems to wander', () => {
  const found = series(10, (seed) => {
    const normal = normals(random(seed))
    return wanderingCapacity(
      trials(() => 100 * Math.exp(0.01 * normal()), seed),
      0.95
    )
  })
  expect(found.filter(({ wandering }) => wandering > 0.5).length).toBeLessThanOrEqual(1)
})

test('one that goes up and down within the time does, and is known by that much less', () => {
  const wave = (place: number) => 100 * (1 + 0.04 * Math.sin(place / 6))
  const found = wanderingCapacity(trials(wave), 0.95)
  expect(found.wandering).toBeGreaterThan(0.8)
  expect(found.low).toBeLessThanOrEqual(100)
  expect(found.high).toBeGreaterThanOrEqual(100)
  // The same trials in another order are of one capacity that varies.
  const next = random(5)
  const shuffled = trials(wave)
    .map((trial) => ({ trial, at: next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ trial }) => trial)
  expect(wanderingCapacity(shuffled, 0.95).wandering).toBeLessThan(found.wandering / 2)
})

test('it scales with the loads, and of nothing says nothing', () => {
  const one = wanderingCapacity(
    trials(() => 100),
    0.9
  )
  const ten = wanderingCapacity(
    trials(() => 100).map((trial) => ({ ...trial, load: 10 * trial.load })),
    0.9
  )
  expect(ten.low / one.low).toBeCloseTo(10, 6)
  expect(ten.wandering).toBeCloseTo(one.wandering, 6)
  const unheard = trials(() => 100).map((trial) => ({ ...trial, outcome: 'unoffered' as const }))
  expect(wanderingCapacity(unheard, 0.9)).toMatchObject({ low: 0, high: Infinity, wandering: 0 })
})
