import { expect, test } from 'vitest'
import { virtualClock } from '../../../src/platform/functions/virtual-clock.ts'
import { stoppedTime } from './stage.ts'

test('waits until the time has come, however it comes', async () => {
  const time = stoppedTime(1_000)
  const clock = virtualClock(time)
  const seen: string[] = []
  const early = clock.until(2_000).then(() => seen.push('early'))
  const late = clock.until(1_000 + 100 * 86_400_000).then(() => seen.push('late'))
  await clock.until(1_000)
  time.forward(999)
  clock.moved()
  await Promise.resolve()
  expect(seen).toEqual([])
  time.forward(1)
  clock.moved()
  await early
  expect(seen).toEqual(['early'])
  time.forward(100 * 86_400_000)
  clock.moved()
  await late
  expect(seen).toEqual(['early', 'late'])
})

test('ends at once when nobody waits any more', async () => {
  const clock = virtualClock(stoppedTime())
  const gone = new AbortController()
  const waiting = clock.until(clock.now() + 1_000_000, gone.signal)
  gone.abort()
  await waiting
  await clock.until(clock.now() + 1_000_000, gone.signal)
  expect(clock.now()).toBe(Date.UTC(2024, 1, 29, 12))
})
