import { expect, test } from 'vitest'
import { intervalRates } from './interval-rates.ts'
import { measured } from './rate.ts'

// With fixed seeds the shares are the same every time. The bounds are what a procedure may do,
// given how many repetitions there are, and not what it happened to do.
test.each(intervalRates.map((rate) => [rate.what, rate] as const))('%s', (_, rate) => {
  const share = measured(rate, rate.count)
  expect(share).toBeGreaterThanOrEqual(rate.least)
  expect(share).toBeLessThanOrEqual(rate.most)
})
