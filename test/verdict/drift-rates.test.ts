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
])('a leak of two margins an hour is found in nine of ten soaks: %s', (_, habit) => {
  expect(share(verdicts({ ...habit, leak: 2 * marginMb }, 20), 'drift')).toBeGreaterThanOrEqual(0.9)
})

test('one of four margins is found in an hour', () => {
  expect(share(verdicts({ leak: 4 * marginMb }, 20, 1), 'drift')).toBeGreaterThanOrEqual(0.9)
})

test('a leak of just a margin is not called stable, but for the odd time', () => {
  expect(share(verdicts({ leak: marginMb }, 20), 'stable')).toBeLessThanOrEqual(0.1)
})

test('steady ones are mostly called so, and a single step is no drift', () => {
  expect(share(verdicts({}, 20), 'stable')).toBeGreaterThanOrEqual(0.9)
  expect(share(verdicts({ step: 30 }, 20), 'drift')).toBe(0)
})
