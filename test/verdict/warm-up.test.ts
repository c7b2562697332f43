import { expect, test } from 'vitest'
import { hasSettled, warmUpOf, withSettled } from '../../src/verdict/warm-up.ts'
import { trialOfUs } from './pairs.ts'

const stretches = (p50Us: (number | null)[]) =>
  p50Us.map((value, index) => ({ toMs: 250 * (index + 1), p50Us: value }))
const times = (count: number, value: number | null) => new Array(count).fill(value)

test('a slower beginning is told with its end, its median and that of the rest', () => {
  const seen = [...times(2, null), ...times(10, 3_000), ...times(40, 1_000)]
  expect(warmUpOf(stretches(seen))).toEqual({ untilMs: 3_000, p50Us: 3_000, laterUs: 1_000 })
})

test.each([
  ['a steady load', times(60, 1_000)],
  ['a beginning that is hardly slower', [...times(10, 1_090), ...times(40, 1_000)]],
  ['a beginning that is quicker', [...times(10, 500), ...times(40, 1_000)]],
  ['one that never settles', Array.from({ length: 60 }, (_, index) => 9_000 - 100 * index)],
  ['a load without an answer', times(60, null)]
])('%s has no warm-up to speak of', (_, seen) => {
  expect(warmUpOf(stretches(seen))).toBeUndefined()
})

const trials = (medians: (number | null)[]) => medians.map((p50Us) => trialOfUs(p50Us))

test.each([
  ['too few trials', times(7, 1_000), false],
  ['eight that are alike', times(8, 1_000), true],
  ['one that goes on getting faster', Array.from({ length: 30 }, (_, n) => 3_000 - 50 * n), false],
  [
    'one that is warm for half as long again as it was cold',
    [...times(9, 2_000), ...times(13, 1_000)],
    true
  ],
  ['one that has only just become warm', [...times(9, 2_000), ...times(2, 1_000)], false],
  ['one that gets slower', Array.from({ length: 30 }, (_, n) => 1_000 + 50 * n), true],
  ['one that answers nothing', times(8, null), true]
])('%s: settled is %s', (_, medians, isSettled) => {
  expect(hasSettled(trials(medians))).toBe(isSettled)
})

test('what settled processes answered in the last three eighths of their warm-up is kept', () => {
  const measured = { a: trialOfUs(1_000), b: trialOfUs(1_000) }
  const warm = (cell: number, reasons: string[] = []) => {
    const trial = trialOfUs(1_000, { shape: { [cell]: 10 }, reasons })
    return { a: trial, b: trial }
  }
  const warmedUp = [
    ...Array.from({ length: 5 }, () => warm(1)),
    warm(2),
    warm(3, ['the machine was busy']),
    warm(2)
  ]
  const [first, second] = withSettled([measured, measured], warmedUp)
  expect([first!.a.warmShape, first!.b.warmShape]).toEqual([{ 2: 20 }, { 2: 20 }])
  expect(second).toEqual(measured)
  const cold = Array.from({ length: 30 }, (_, n) => ({ ...warm(1), b: trialOfUs(3_000 - 50 * n) }))
  expect(withSettled([measured], cold)).toEqual([measured])
})
