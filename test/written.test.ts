import { expect, test } from 'vitest'
import { isDay } from '../src/written.ts'

test.each([
  ['2027-03-31', true],
  ['2028-02-29', true],
  ['2027-02-29', false],
  ['2027-3-1', false],
  ['tomorrow', false]
])('%s is a day: %s', (day, is) => {
  expect(isDay(day)).toBe(is)
})
