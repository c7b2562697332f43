import { expect, test } from 'vitest'
import { createThrottle, unthrottled } from '../../src/client/throttle.ts'
import type { Clock } from '../../src/clock.ts'

/** A clock that is moved by those who wait for it. */
function virtualClock(): Clock & { forward: (ms: number) => void } {
  let now = 1_000
  return {
    now: () => now,
    async until(time) {
      now = Math.max(now, time)
    },
    forward(ms) {
      now += ms
    }
  }
}

test('requests are let through at equal distances', async () => {
  const clock = virtualClock()
  const throttle = createThrottle(50, clock)
  const at: number[] = []
  for (let n = 0; n < 4; n++) {
    await throttle()
    at.push(clock.now())
  }
  expect(at).toEqual([1_000, 1_020, 1_040, 1_060])
})

test('those that ask together are told different times', async () => {
  const due: number[] = []
  const clock: Clock = {
    now: () => 0,
    until: async (time) => {
      due.push(time)
    }
  }
  const throttle = createThrottle(10, clock)
  await Promise.all([throttle(), throttle(), throttle()])
  expect(due).toEqual([0, 100, 200])
})

test('nothing is saved up while nobody asks', async () => {
  const clock = virtualClock()
  const throttle = createThrottle(10, clock)
  await throttle()
  clock.forward(5_000)
  await throttle()
  expect(clock.now()).toBe(6_000)
  await throttle()
  expect(clock.now()).toBe(6_100)
})

test('without caps nothing waits', () => {
  expect(unthrottled()).toBeUndefined()
})
