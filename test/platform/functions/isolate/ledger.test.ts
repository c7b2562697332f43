import { expect, test } from 'vitest'
import { openSharedTurn } from '../../../../src/platform/functions/isolate/shared-turn.ts'

test('a turn that was condemned cannot close, and one that has closed cannot be condemned', () => {
  const sharedTurn = openSharedTurn()
  sharedTurn.open(1)
  expect(sharedTurn.condemn(1)).toBe(true)
  expect(sharedTurn.close(1)).toBe(false)
  sharedTurn.settle(1)
  sharedTurn.open(2)
  expect(sharedTurn.close(2)).toBe(true)
  expect(sharedTurn.condemn(2)).toBe(false)
})

test('an end that is made late closes no turn that was opened since', () => {
  const sharedTurn = openSharedTurn()
  sharedTurn.open(1)
  sharedTurn.condemn(1)
  sharedTurn.open(2)
  sharedTurn.settle(1)
  expect(sharedTurn.turn()).toBe(2)
})
