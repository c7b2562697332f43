import { expect, test } from 'vitest'
import { createOffloads } from '../../../../../src/platform/functions/isolate/host/offloads.ts'

/** The pool whose clock is moved by hand. */
function withClock() {
  let nowUs = 5_000
  const offloads = createOffloads(() => nowUs)
  const work = (us: number) => {
    nowUs += us
    offloads.settle()
  }
  return { ...offloads, work }
}

test('nobody is charged for what was used before he had anything done', () => {
  const { note, work, usedUs } = withClock()
  work(900)
  note(1, 10)
  work(100)
  expect(usedUs(1)).toBe(100)
  expect(usedUs(2)).toBe(0)
})

test('those who have something done share what is used, by weight', () => {
  const { note, work, usedUs } = withClock()
  note(1, 300)
  note(2, 100)
  work(1_000)
  expect([usedUs(1), usedUs(2)]).toEqual([750, 250])
})

test('what is done is charged no more', () => {
  const { note, work, usedUs } = withClock()
  note(1, 10)
  note(2, 10)
  work(100)
  note(1, -10)
  work(100)
  expect([usedUs(1), usedUs(2)]).toEqual([50, 150])
})

test('who is over pays for what he has left behind, and nobody else does', () => {
  const { note, work, usedUs, leave } = withClock()
  note(1, 1e6)
  note(2, 1)
  leave(1)
  work(100_000)
  expect(usedUs(2)).toBeLessThan(1)
  note(1, -1e6)
  work(100)
  expect(usedUs(2)).toBeGreaterThan(100)
})

test('what lasts is done with him, and what is said of nobody is nothing', () => {
  const { note, work, usedUs, leave } = withClock()
  note(1, 10, true)
  note(2, 10)
  leave(1)
  note(3, -5)
  work(100)
  expect([usedUs(1), usedUs(2), usedUs(3)]).toEqual([0, 100, 0])
})
