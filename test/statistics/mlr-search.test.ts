import fc from 'fast-check'
import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import type { LoadTrial, TrialResult } from '../../src/statistics/load-class.ts'
import { type Goal, mlrSearch } from '../../src/statistics/mlr-search.ts'
import { driven } from './driven.ts'

fc.configureGlobal({ seed: 1 })

const goal: Goal = {
  lowest: 10,
  highest: 10_000,
  start: 100,
  width: 0.02,
  shortSeconds: 3,
  finalSeconds: 10,
  sumSeconds: 50,
  exceedRatio: 0.5,
  budgetSeconds: 2000
}

const held: TrialResult = { outcome: 'held', lossRatio: 0 }
const missed: TrialResult = { outcome: 'missed', lossRatio: 0.1 }
const unoffered: TrialResult = { outcome: 'unoffered', lossRatio: 0 }

const upTo = (capacity: number) => (load: number) => (load <= capacity ? held : missed)

const loads = fc.double({ min: 10.5, max: 9900, noNaN: true })

test('without noise the bounds are neighbours around the capacity, from any start', () => {
  fc.assert(
    fc.property(loads, loads, (capacity, start) => {
      const found = driven(mlrSearch({ ...goal, start }, random(1)), upTo(capacity))
      // The grid hangs on the start, so its last loads may end short of the limits given.
      expect(found.lower ?? 10.5).toBeLessThanOrEqual(capacity)
      expect(found.upper ?? 9900).toBeGreaterThan(capacity / 1.02)
      if (found.ended === 'highest') expect(found.lower! * 1.02).toBeGreaterThan(9900)
      else if (found.ended === 'lowest') expect(found.upper! / 1.02).toBeLessThan(10.5)
      else {
        expect(found.ended).toBe('found')
        expect(found.upper).toBeGreaterThan(capacity)
        expect(found.upper! / found.lower!).toBeCloseTo(1.02, 10)
        expect(found.conditionalThroughput).toBeCloseTo(found.lower!, 10)
      }
    })
  )
})

test('every load is on the grid and between the limits, every trial short or final', () => {
  fc.assert(
    fc.property(loads, loads, (capacity, start) => {
      for (const { load, seconds } of driven(
        mlrSearch({ ...goal, start }, random(1)),
        upTo(capacity)
      ).trials) {
        const rung = Math.log(load / start) / Math.log(1.02)
        expect(rung).toBeCloseTo(Math.round(rung), 6)
        expect(load).toBeGreaterThanOrEqual(10 - 1e-6)
        expect(load).toBeLessThanOrEqual(10_000 + 1e-6)
        expect([3, 10]).toContain(seconds)
      }
    })
  )
})

test('the lower bound is measured straight after a higher load', () => {
  fc.assert(
    fc.property(loads, fc.nat(1000), (capacity, seed) => {
      const { ended, lower, trials } = driven(mlrSearch(goal, random(seed)), upTo(capacity))
      if (ended !== 'found') return
      const fromAbove = trials.some(
        ({ load, seconds }, at) => seconds === 10 && load === lower && trials[at - 1]!.load > lower!
      )
      expect(fromAbove).toBe(true)
    })
  )
})

test('a target that does less after too much is found to do less', () => {
  // For one trial after a miss it manages a tenth less, as one that has to work off a queue does.
  const hysteresis = () => {
    let isTired = false
    return (load: number) => {
      const isMissed = load > (isTired ? 900 : 1000)
      isTired = isMissed
      return isMissed ? missed : held
    }
  }
  const { lower, ended } = driven(mlrSearch(goal, random(3)), hysteresis())
  expect(ended).toBe('found')
  expect(lower).toBeLessThanOrEqual(1000)
  expect(lower).toBeGreaterThan(880)
})

test('everything held: the highest load there is', () => {
  const { ended, lower, upper, trials } = driven(mlrSearch(goal, random(1)), () => held)
  expect({ ended, upper }).toEqual({ ended: 'highest', upper: undefined })
  expect(lower).toBeLessThanOrEqual(10_000)
  expect(lower! * 1.02).toBeGreaterThan(10_000)
  expect(trials.at(-1)).toMatchObject({ load: lower, seconds: 10 })
})

test('nothing held: the lowest load there is', () => {
  const { ended, lower, upper } = driven(mlrSearch(goal, random(1)), () => missed)
  expect({ ended, lower }).toEqual({ ended: 'lowest', lower: undefined })
  expect(upper).toBeGreaterThanOrEqual(10)
  expect(upper! / 1.02).toBeLessThan(10)
})

test('a generator that gives out first is not taken for the target', () => {
  const serve = (load: number) => (load > 500 ? unoffered : held)
  for (const start of [80, 90, 100, 110, 499, 2000]) {
    const found = driven(mlrSearch({ ...goal, start }, random(1)), serve)
    expect([found.ended, found.upper]).toEqual(['generator', undefined])
    expect(found.lower).toBeLessThanOrEqual(500)
    expect(found.lower! * 1.02).toBeGreaterThan(500)
    expect(found.trials.length).toBeLessThan(40)
  }
  const never = driven(mlrSearch(goal, random(1)), () => unoffered)
  expect(never).toMatchObject({ ended: 'generator' })
  expect(never.lower).toBeUndefined()
})

test('a generator that fails once is given another try', () => {
  let tries = 0
  const serve = (load: number) => (++tries % 5 === 0 ? unoffered : upTo(1000)(load))
  const { ended, lower, upper } = driven(mlrSearch(goal, random(1)), serve)
  expect(ended).toBe('found')
  expect(lower).toBeLessThanOrEqual(1000)
  expect(upper).toBeGreaterThan(1000)
})

test('when the time is up it says what it knows', () => {
  const seconds = (trials: LoadTrial[]) => trials.reduce((total, trial) => total + trial.seconds, 0)
  for (const budgetSeconds of [0, 20, 60, 90]) {
    const short = driven(mlrSearch({ ...goal, budgetSeconds }, random(1)), upTo(1000))
    expect(short.ended).toBe('time')
    expect(seconds(short.trials)).toBeLessThanOrEqual(budgetSeconds)
    expect(short.lower ?? 0).toBeLessThanOrEqual(1000)
    expect(short.upper ?? Infinity).toBeGreaterThan(1000)
  }
})

test('just enough time is enough', () => {
  const { trials } = driven(mlrSearch(goal, random(1)), upTo(1000))
  const taken = trials.reduce((total, { seconds }) => total + seconds, 0)
  const ending = (budgetSeconds: number) =>
    driven(mlrSearch({ ...goal, budgetSeconds }, random(1)), upTo(1000)).ended
  expect([ending(taken), ending(taken - 1)]).toEqual(['found', 'time'])
})

test('of several places where it goes from held to missed, the lowest one met counts', () => {
  // The target stumbles between 300 and 320, and is good for 1000 otherwise; 155 doubled is 310.
  const serve = (load: number) => (load > 300 && load < 320 ? missed : upTo(1000)(load))
  const { ended, lower, upper } = driven(mlrSearch({ ...goal, start: 155 }, random(1)), serve)
  expect(ended).toBe('found')
  expect(lower).toBeLessThanOrEqual(300)
  expect(upper).toBeGreaterThan(300)
  expect(upper).toBeLessThan(320)
})

test('the same seed asks the same questions', () => {
  const asked = (seed: number) => driven(mlrSearch(goal, random(seed)), upTo(777)).trials
  expect(asked(5)).toEqual(asked(5))
})

test('short trials must be shorter', () => {
  expect(() => mlrSearch({ ...goal, shortSeconds: 10 }, random(1)).next()).toThrow(RangeError)
})
