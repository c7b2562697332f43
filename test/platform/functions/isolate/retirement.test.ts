import { expect, test } from 'vitest'
import { createRetirement } from '../../../../src/platform/functions/isolate/retirement.ts'

/** An instance that so many are on, and whether it was killed. */
function instanceWith(runs: number) {
  let [left, isKilled] = [runs, false]
  const kill = () => {
    isKilled = true
  }
  const retirement = createRetirement({ isIdle: () => left === 0, kill })
  return {
    ...retirement,
    leave() {
      left--
      retirement.leave()
    },
    isKilled: () => isKilled
  }
}

test('nobody waits for room from one that was distrusted while others are still on it', () => {
  const { distrust, isOver, isLeaving, isKilled, leave } = instanceWith(1)
  distrust()
  expect([isOver(), isLeaving(), isKilled()]).toEqual([true, false, false])
  leave()
  expect([isLeaving(), isKilled()]).toEqual([true, true])
})

test('one that is given a moment to end is leaving, whoever is on it', () => {
  const { distrust, condemn, isLeaving, isKilled, end } = instanceWith(1)
  distrust()
  condemn(800)
  expect([isLeaving(), isKilled()]).toEqual([true, false])
  end()
})

test('one that is condemned with nobody on it is killed at once', () => {
  const { condemn, isLeaving, isKilled } = instanceWith(0)
  condemn()
  expect([isLeaving(), isKilled()]).toEqual([true, true])
})
