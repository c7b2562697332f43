import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { busy, chainedQueue, identify, leakyQueue, stalled } from './rate-limiters.ts'

const inTwoMinutes = { inFlight: 16, mostMs: 119_000 }

test('as many wait as do, or it is not clear, where a machine stands still at times', () => {
  let clear = 0
  for (const [nth, perSecond] of [7, 19, 24, 36, 39].entries()) {
    const next = random(nth, 'stalls')
    const size = { perSecond, free: 3 * nth, queue: 3 * nth + 8 + nth }
    const decide = stalled(leakyQueue(size), next)
    const found = identify({ decide, latency: busy(next) }, inTwoMinutes)
    expect(['leaky-queue', 'unclear']).toContain(found.algorithm)
    if (found.perSecond === undefined) continue
    expect(Math.abs(found.perSecond / perSecond - 1)).toBeLessThan(0.03)
    if (found.queue === undefined) continue
    expect(found).toMatchObject({ burst: size.free + 1, queue: size.queue - size.free })
    clear++
  }
  expect(clear).toBeGreaterThanOrEqual(3)
})

test('no pace is told that a machine makes slower, where each goes on after the one before', () => {
  let slow = 0
  for (const [nth, everyMs] of [28, 29, 33, 38, 60, 145].entries()) {
    const next = random(nth, 'chained')
    const decide = chainedQueue({ everyMs, queue: 10 + 3 * nth }, next)
    const found = identify({ decide, latency: busy(next) }, inTwoMinutes)
    expect(['leaky-queue', 'unclear']).toContain(found.algorithm)
    if (found.perSecond === undefined) slow++
    else expect(Math.abs((found.perSecond * everyMs) / 1_000 - 1)).toBeLessThan(0.03)
    if (found.queue !== undefined) expect(found).toMatchObject({ burst: 1, queue: 10 + 3 * nth })
  }
  expect(slow).toBeGreaterThanOrEqual(1)
  expect(slow).toBeLessThanOrEqual(3)
})
