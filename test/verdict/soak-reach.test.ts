import { expect, test } from 'vitest'
import { soakReach } from '../../src/verdict/soak-reach.ts'

test('three hours find twice a budget of 5 % an hour under noise of one per cent', () => {
  const { isTooShort, noise, typical } = soakReach(3 * 3_600, 0.05)
  expect(isTooShort).toBe(false)
  expect(noise).toBeCloseTo(0.01, 10)
  expect(typical.seconds).toBeCloseTo(3 * 3_600, 6)
})

test('a shorter soak takes less noise, and half a minute is the least', () => {
  expect(soakReach(3_600, 0.05).noise).toBeCloseTo(0.01 / 3, 10)
  expect(soakReach(29, 0.05).isTooShort).toBe(true)
  expect(soakReach(30, 0.05).isTooShort).toBe(false)
})
