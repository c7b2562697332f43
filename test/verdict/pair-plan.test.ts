import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { overallLevel } from '../../src/statistics/looks.ts'
import { looksUpTo, pairsWorth, planPairs } from '../../src/verdict/pair-plan.ts'

test.each([
  [1, [1]],
  [15, [15]],
  [16, [8, 16]],
  [100, [12, 25, 50, 100]],
  [400, [25, 50, 100, 200, 400]]
])('of at most %i blocks the looks are %j', (most, at) => {
  const looks = looksUpTo(most)
  expect(looks.at).toEqual(at)
  expect(overallLevel(looks)).toBeCloseTo(0.03, 4)
})

/** Differences of a pilot, evenly spread. */
const pilot = (noise: number) => {
  const next = random(1)
  return Array.from({ length: 12 }, () => noise * 2 * (next() - 0.5))
}
const margins = { nothing: Math.log(1.01), budget: Math.log(1.05) }

test('little noise makes a budget decidable in few blocks', () => {
  const plan = planPairs(pilot(0.03), { most: 100, margins })
  expect(plan.isFeasible).toBe(true)
  expect(plan.resolvable).toBeLessThan(1.02)
  expect(plan.neededBlocks).toBeLessThan(50)
})

test('more noise than the blocks can make up for is refused, with how many it would take', () => {
  const plan = planPairs(pilot(0.5), { most: 20, margins })
  expect(plan.isFeasible).toBe(false)
  expect(plan.resolvable).toBeGreaterThan(1.05)
  expect(plan.neededBlocks).toBeGreaterThan(20)
  expect(planPairs(pilot(0.5), { most: 4 * plan.neededBlocks, margins }).isFeasible).toBe(true)
})

test.each([1, -1])('what differs by more than the noise can hide is not refused: %i', (way) => {
  const differing = (by: number) => pilot(0.5).map((noise) => noise + way * Math.log(by))
  expect(planPairs(differing(1.4), { most: 20, margins }).isFeasible).toBe(false)
  expect(planPairs(differing(30), { most: 20, margins }).isFeasible).toBe(true)
  expect(planPairs(differing(30), { most: 3, margins }).isFeasible).toBe(false)
})

test('fewer blocks than any interval needs decide nothing', () => {
  const plan = planPairs(pilot(0.001), { most: 3, margins })
  expect(plan).toMatchObject({ isFeasible: false, resolvable: Infinity })
})

/** A first block of five pairs of 120 ms after 3 s of starting; a minute for all blocks. */
const first = { pairs: 5, startMs: 3_000, pairMs: 120, leftMs: 42_000, mostMs: 6_000 }
const spread = (noise: number) => [-1, 1, -1, 1, -1, 1].map((sign) => sign * noise)

test('a block is worth as many pairs as make up for what its processes cost', () => {
  expect(pairsWorth({ ...first, differences: spread(0) })).toBe(5)
  const noisy = pairsWorth({ ...first, differences: spread(0.2) })
  expect(noisy).toBeGreaterThan(12)
  // Where processes cost nothing, many blocks tell more than large ones.
  expect(pairsWorth({ ...first, startMs: 10, differences: spread(0.2) })).toBeLessThan(noisy)
})

test('a block takes no more than it may, less than the first only for that', () => {
  const differences = spread(0.2)
  expect(pairsWorth({ ...first, mostMs: 4_200, differences })).toBe(10)
  expect(pairsWorth({ ...first, mostMs: 1_000, differences })).toBe(2)
  expect(pairsWorth({ ...first, leftMs: 5_000, differences })).toBe(5)
  // Of pairs that could not be read, nothing is known.
  expect(pairsWorth({ ...first, differences: [] })).toBe(5)
})
