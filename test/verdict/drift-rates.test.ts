import { expect, test } from 'vitest'
import { judgeDrift } from '../../src/verdict/judge-drift.ts'
import { type Habit, soaked } from './soaking.ts'

/** Five per cent an hour of what a server holds after warm-up, about 120 MB: 6 MB an hour. */
const terms = { budget: 0.05, budgets: { heap: 0.05 } }
const marginMb = 6

/** How so many soaks of two hours come out, each with a seed of its own. */
function verdicts(habit: Habit, count: number, hours = 2): string[] {
  return Array.from({ length: count }, (_, seed) => {
    return judgeDrift(soaked(hours, habit, seed), { ...terms, seed }).verdict
  })
}

const share = (all: readonly string[], verdict: string) =>
  all.filter((one) => one === verdict).length / all.length

// With fixed seeds the shares are the same every time; the bounds are those that are promised.
test.each<[string, Habit]>([
  ['a steady one', {}],
  ['one with a collector', { pile: 30 }],
  ['one whose cache fills', { fill: 20 }]
])('no alarm in 20 soaks of an honest server: %s', (_, habit) => {
  expect(share(verdicts(habit, 20), 'drift')).toBe(0)
})

test.each<[string, Habit]>([
  ['on its own', {}],
  ['under a collector', { pile: 30 }]
])('a leak of two margins an hour is found in nine of ten soaks of three hours: %s', (_, habit) => {
  const found = verdicts({ ...habit, leak: 2 * marginMb }, 20, 3)
  expect(share(found, 'drift')).toBeGreaterThanOrEqual(0.9)
})

test('one of four margins is found in two hours, and in all of three', () => {
  const leak = 4 * marginMb
  expect(share(verdicts({ leak }, 20), 'drift')).toBeGreaterThanOrEqual(0.9)
  expect(share(verdicts({ leak }, 20, 3), 'drift')).toBe(1)
})

// What they add in what is judged would be a leak of two margins.
const addedMb = 3 * (2 / 3) * 2 * marginMb
test.each<[string, Habit]>([
  ['settling', { settle: addedMb, constant: 1 / 3 }],
  ['settling', { log: addedMb }],
  ['cyclic', { tooth: addedMb, toothShare: 0.55 }],
  ['cyclic', { tooth: addedMb, toothShare: 0.8 }],
  ['stepped', { step: addedMb / 2, stepAfter: 0.45, steps: 2 }]
])('what is %s is mostly called so, and hardly ever drift: %j', (verdict, habit) => {
  const found = verdicts(habit, 10, 3)
  expect(share(found, 'drift')).toBeLessThanOrEqual(0.1)
  expect(share(found, verdict)).toBeGreaterThanOrEqual(0.7)
})

test('a leak of just a margin is not called stable, but for the odd time', () => {
  expect(share(verdicts({ leak: marginMb }, 20), 'stable')).toBeLessThanOrEqual(0.1)
})

test('steady ones are mostly called so, and a single step is no drift', () => {
  expect(share(verdicts({}, 20), 'stable')).toBeGreaterThanOrEqual(0.9)
  expect(share(verdicts({ step: 30 }, 20), 'drift')).toBe(0)
})

test('a leak that began late is neither stable, nor a step, nor anything that was before', () => {
  for (const leakAfter of [2 / 3, 0.75, 0.85]) {
    const found = verdicts({ leak: 4 * marginMb, leakAfter }, 20, 3)
    expect(share(found, 'inconclusive')).toBeGreaterThanOrEqual(0.9)
    expect(share(found, 'cyclic')).toBe(0)
    expect(share(found, 'stable')).toBe(0)
  }
})
