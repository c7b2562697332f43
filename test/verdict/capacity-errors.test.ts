import { expect, test } from 'vitest'
import { type Random, random } from '../../src/random.ts'
import { type Capacity, findCapacity } from '../../src/verdict/capacity.ts'
import type { RateTask, RateTrial } from '../../src/verdict/rate-trial.ts'

/** The highest rate at which responses are in time, and the share that fails at a rate. */
type Failing = { capacity: number; fails: (rate: number) => number }

const errorRatio = 0.001

function asked({ capacity, fails }: Failing, task: RateTask, next: Random): RateTrial {
  const requests = Math.round(task.rate * task.seconds)
  const failures = Array.from({ length: requests }, next).filter((one) => one < fails(task.rate))
  const errorShare = failures.length / requests
  const binding =
    errorShare > errorRatio ? 'errors' : task.rate > capacity ? ('latency' as const) : undefined
  return {
    ...{ ...task, because: '', lossRatio: errorShare, goodput: task.rate, errorShare, requests },
    ...{ outcome: binding ? 'missed' : 'held', ...(binding && { binding }) },
    ...{ p50Us: 1_000, p99Us: 2_000 }
  }
}

function search(target: Failing, seed = 1): Capacity {
  const plan = { start: 50, lowest: 1, highest: 1e6, seconds: 120, errorRatio }
  const found = findCapacity(plan, random(seed, 'search'))
  const weather = random(seed, 'weather')
  let turn = found.next()
  while (!turn.done) turn = found.next(asked(target, turn.value, weather))
  return turn.value
}

const confirming = ({ trials }: Capacity) =>
  trials.filter(({ purpose }) => purpose === 'confirm').length

test('a target whose requests are too few to show one error in a thousand is told', () => {
  const found = search({ capacity: 20, fails: () => 0 })
  expect(found.confirmed).toBeGreaterThan(18)
  expect(found.undecided).toMatch(
    /^0 of \d+ requests at .*\/s failed, so at most .* % do; that at most 0\.1 % do takes 2,995/
  )
  expect(found.undecided).toMatch(/--time 8m/)
})

test('where there is time for as many, it is confirmed until they are there', () => {
  const found = search({ capacity: 110, fails: () => 0 })
  expect(confirming(found)).toBeGreaterThan(3)
  expect(found.undecided).toBeUndefined()
  const quick = search({ capacity: 1_000, fails: () => 0 })
  expect(confirming(quick)).toBe(3)
  expect(quick.undecided).toBeUndefined()
})

test.each([1, 2, 3])('errors that rise with the rate are placed by all trials, seed %i', (seed) => {
  // One in a thousand fails at 111 a second; in a trial at 140 it is one or none.
  const found = search({ capacity: 400, fails: (rate) => errorRatio * (rate / 111) ** 4 }, seed)
  expect(found.undecided).toMatch(/errors become more little by little: 0\.1 % .* takes 2,995/)
  expect(found.interval![0]).toBeLessThanOrEqual(111)
  expect(found.interval![1]).toBeGreaterThanOrEqual(111)
  expect(found.interval![1]).toBeLessThan(250)
})

test('a limit that refuses what is beyond it is as sharp as before', () => {
  const found = search({ capacity: 1e6, fails: (rate) => Math.max(0, 1 - 400 / rate) })
  expect(found.undecided).toBeUndefined()
  expect(found.interval![0]).toBeLessThanOrEqual(401)
  expect(found.interval![1]).toBeGreaterThanOrEqual(399)
  expect(found.interval![1] / found.interval![0]).toBeLessThan(1.06)
})
