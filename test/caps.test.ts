import { expect, test } from 'vitest'
import { createMeter, createMeterMemory } from '../src/caps.ts'

const caps = { requestsPerSecond: 50, seconds: 10, untilMs: 1e12, meter: createMeterMemory() }
const fresh = (more: object = {}) => ({ ...caps, meter: createMeterMemory(), ...more })

/** How many may leave when it is asked every millisecond from one moment to another. */
function taken(meters: ReturnType<typeof createMeter>[], fromMs: number, toMs: number): number {
  let count = 0
  for (let ms = fromMs; ms < toMs; ms++) for (const { take } of meters) if (take(ms)) count++
  return count
}

test('so many a second leave as are allowed, and nothing is saved up', () => {
  const meter = createMeter(fresh())
  expect(taken([meter], 1_000, 3_000)).toBe(100)
  expect(taken([meter], 5_000, 6_000)).toBe(50)
})

test('all who count in the same memory share it', () => {
  const given = fresh()
  const four = [1, 2, 3, 4].map(() => createMeter(given))
  expect(taken(four, 1_000, 2_000)).toBe(50)
})

test('who is late makes up for so much of it', () => {
  const meter = createMeter(fresh())
  let burst = 0
  expect(meter.take(1_000)).toBe(true)
  while (meter.take(1_000, 100)) burst++
  expect(burst).toBe(5)
  expect(meter.freeAt(1_000, 100)).toBe(1_020)
  expect(meter.freeAt(1_000)).toBe(1_120)
})

test('after the time from the first one on, none leave', () => {
  const meter = createMeter(fresh())
  expect(meter.isOver(1e9)).toBe(false)
  expect(meter.take(5_000)).toBe(true)
  expect([meter.isOver(14_999), meter.isOver(15_000)]).toEqual([false, true])
  expect(meter.take(15_000)).toBe(false)
  expect(meter.freeAt(15_000)).toBe(Infinity)
  meter.renew()
  expect(meter.take(20_000)).toBe(true)
})

test('after the last day, none leave, whatever time there would be', () => {
  const meter = createMeter(fresh({ untilMs: 6_000 }))
  expect([meter.take(5_999), meter.take(6_000)]).toEqual([true, false])
  expect(meter.isOver(6_000)).toBe(true)
})
