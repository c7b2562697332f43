import { expect, onTestFinished, test, vi } from 'vitest'
import { longestTimerMs } from '../../src/clock.ts'
import { createDeadline, stopAt, within } from '../../src/engine/deadline.ts'
import { createStop } from '../../src/engine/stop.ts'
import { createVirtualClock } from './virtual-arms.ts'

test('what is left counts from where it was said to, and never below nothing', () => {
  const clock = createVirtualClock()
  clock.pass(10_000)
  const deadline = createDeadline(5, { clock, sinceMs: 9_000 })
  expect(deadline.leftMs()).toBe(4_000)
  clock.pass(3_000)
  expect(deadline.leftMs()).toBe(1_000)
  clock.pass(3_000)
  expect(deadline.leftMs()).toBe(0)
})

test('a part of it ends with it', () => {
  const clock = createVirtualClock()
  const whole = createDeadline(10, { clock })
  clock.pass(7_000)
  const [short, long] = [within(whole, 2, clock), within(whole, 5, clock)]
  expect([short.leftMs(), long.leftMs()]).toEqual([2_000, 3_000])
})

test('the stop comes when the time is up, be it weeks, and not once it was let go', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const clock = createVirtualClock()
  const seconds = (longestTimerMs / 1_000) * 2
  const [stop, other] = [createStop(), createStop()]
  stopAt(createDeadline(seconds, { clock }), stop)
  stopAt(createDeadline(seconds, { clock }), other)()
  clock.pass(longestTimerMs)
  vi.advanceTimersByTime(longestTimerMs)
  expect(stop.requested()).toBe(false)
  clock.pass(longestTimerMs)
  vi.advanceTimersByTime(longestTimerMs)
  expect([stop.requested(), other.requested()]).toEqual([true, false])
})
