import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { calibrationOf } from '../../src/verdict/calibration.ts'
import { judgePair } from '../../src/verdict/judge-pair.ts'
import { looksUpTo } from '../../src/verdict/pair-plan.ts'
import { blocksAbout } from './pairs.ts'

const margins = { nothing: Math.log(1.01), budget: Math.log(1.05) }
const terms = { metric: 'p50' as const, looks: looksUpTo(24), margins }
const comparing = (difference: number, seed: number) =>
  judgePair(blocksAbout(difference, 24, random(seed)), terms)

const alike = Array.from({ length: 59 }, (_, seed) => comparing(0, seed))

test('59 comparisons without an alarm prove 5 % at most', () => {
  const found = calibrationOf(alike)!
  expect(found).toMatchObject({ runs: 59, alarms: 0 })
  expect(found.alarmBound).toBeLessThanOrEqual(0.05)
  expect(calibrationOf(alike.slice(1))!.alarmBound).toBeGreaterThan(0.05)
})

test('a difference on either side that is not there is an alarm', () => {
  const found = calibrationOf([...alike, comparing(0.2, 1), comparing(-0.2, 2)])!
  expect(found).toMatchObject({ runs: 61, alarms: 2 })
  expect(found.alarmBound).toBeGreaterThan(2 / 61)
})

test('the resolution is how far intervals reach, the spread how far estimates stray', () => {
  const { resolution, spread } = calibrationOf(alike)!
  expect(resolution.median).toBeLessThan(resolution.p90)
  expect(spread).toBeGreaterThan(1)
  expect(spread).toBeLessThan(resolution.p90)
})

test('nothing follows from nothing', () => {
  expect(calibrationOf([])).toBeUndefined()
})
