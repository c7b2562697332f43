import { expect, test } from 'vitest'
import { createOverruns } from '../../../../src/platform/functions/isolate/overrun.ts'

const rules = { tolerated: 3, of: 20, factor: 3, leastExtraMs: 10 }

test('a function that has not overrun may use three times its limit', () => {
  expect(createOverruns(rules).allowanceMs('f', 50)).toBe(150)
})

test('where the limit is small it may use ten milliseconds more', () => {
  expect(createOverruns(rules).allowanceMs('f', 2)).toBe(12)
})

test.each([
  { past: [true, true], allowed: 150 },
  { past: [true, true, true], allowed: 50 },
  { past: [true, false, true, false, true], allowed: 50 },
  { past: [true, true, true, ...Array(17).fill(false)], allowed: 50 },
  { past: [true, true, true, ...Array(18).fill(false)], allowed: 150 }
])('after $past it may use $allowed ms of 50', ({ past, allowed }) => {
  const overruns = createOverruns(rules)
  for (const isOver of past) overruns.note('f', isOver)
  expect(overruns.allowanceMs('f', 50)).toBe(allowed)
  expect(overruns.allowanceMs('another', 50)).toBe(150)
})

test('without tolerance the limit is the limit from the start', () => {
  expect(createOverruns({ ...rules, tolerated: 0 }).allowanceMs('f', 50)).toBe(50)
})
