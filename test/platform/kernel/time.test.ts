import { expect, test } from 'vitest'
import { openTime, timestamp } from '../../../src/platform/kernel/time.ts'
import { openStore } from '../store.ts'

test('time is moved forward, and stays moved', () => {
  const store = openStore()
  const time = openTime(store)
  const before = time.now()
  expect(Number.isInteger(before)).toBe(true)
  expect(time.forward(86_400_000)).toBeGreaterThanOrEqual(before + 86_400_000)
  expect(time.forward(1_000)).toBeGreaterThanOrEqual(before + 86_401_000)
  expect(openTime(store).now()).toBeGreaterThanOrEqual(before + 86_401_000)
})

test('a timestamp is RFC 3339 in UTC', () => {
  expect(timestamp(Date.UTC(2024, 1, 29, 23, 59, 59, 7))).toBe('2024-02-29T23:59:59.007Z')
})
