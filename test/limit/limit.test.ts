import { expect, test } from 'vitest'
import { readings } from '../../src/limit/limit.ts'

test.each([
  { value: 16, unit: 'KB', means: [16_000, 16_384] },
  { value: 100, unit: 'MB', means: [100_000_000, 104_857_600] },
  { value: 5, unit: 'GB', means: [5_000_000_000, 5_368_709_120] },
  { value: 10, unit: 'MB (compressed)', means: [10_000_000, 10_485_760] },
  { value: 64, unit: 'variables', means: [64] },
  { value: 30, unit: '', means: [30] }
])('$value $unit means $means', ({ value, unit, means }) => {
  expect(readings(value, unit)).toEqual(means)
})
