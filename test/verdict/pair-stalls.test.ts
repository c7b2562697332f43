import { expect, test } from 'vitest'
import { shapeCell } from '../../src/load/figures/histogram.ts'
import { stalledByB } from '../../src/verdict/pair-stalls.ts'
import type { Block, Trial } from '../../src/verdict/trial.ts'
import { trialOfUs } from './pairs.ts'

/** A trial of a tenth of a second, and of the longest that a request took besides. */
function trialWith(longestMs: number, usualMs: number): Trial {
  const shape = { [shapeCell(usualMs * 1_000)]: 29, [shapeCell(longestMs * 1_000)]: 1 }
  const seconds = 0.1 + Math.max(0, longestMs - usualMs) / 1_000
  return trialOfUs(usualMs * 1_000, { shape, requests: 30, perSecond: 30 / seconds })
}

/** Pairs of which the first ones of each side stand still for so long. */
function blocksOf(a: readonly number[], b: readonly number[], usualMs = 3): Block[] {
  return Array.from({ length: 80 }, (_, at) => [
    { a: trialWith(a[at] ?? usualMs, usualMs), b: trialWith(b[at] ?? usualMs, usualMs) }
  ])
}

const told =
  /^B stood still 2 times, for 3\.\d s of 1\d\.\d s \(.*\) and 1\.9 s at most, and A never$/

test.each<[string, number[], number[], number, RegExp | undefined]>([
  ['stands still for 2 s twice', [], [2_000, 2_000], 3, told],
  ['does so once', [], [2_000], 3, /^B stood still once, for [12]\.\d s of .*, and A never$/],
  ['does so once, and shortly', [], [900], 3, undefined],
  ['does so once, as A does', [2_000], [2_000], 3, undefined],
  ['does so as A does', [2_000, 2_000], [2_000, 2_000, 2_000], 3, undefined],
  [
    'does so thrice as often',
    [600],
    [2_000, 2_000, 2_000],
    3,
    /3 times.*, and A once, for 0\.6 s$/
  ],
  ['collects garbage', [], Array(9).fill(200), 3, undefined],
  ['does so shortly and twice', [], [520, 520], 3, undefined],
  ['does so shortly, and too often for chance', [], Array(6).fill(520), 3, /^B stood still 6/],
  ['does so as often as chance would', [600, 600], Array(7).fill(700), 3, undefined],
  ['is slow now and then, and as a rule', [], Array(6).fill(3_000), 400, undefined]
])('a B that %s', (_, a, b, usualMs, said) => {
  const text = stalledByB(blocksOf(a, b, usualMs))
  if (said === undefined) expect(text).toBe(undefined)
  else expect(text).toMatch(said)
})

test('a pair that was taken again tells of what stood still in it for long', () => {
  const again = (ms: number) => [{ a: trialWith(3, 3), b: trialWith(ms, 3) }]
  expect(stalledByB(blocksOf([], []), again(3_000))).toMatch(/^B stood still once, for /)
  expect(stalledByB(blocksOf([], []), again(900))).toBe(undefined)
  expect(stalledByB(blocksOf([3_000], []), again(3_000))).toBe(undefined)
})
