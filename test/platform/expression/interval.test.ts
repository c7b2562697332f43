import fc from 'fast-check'
import { expect, test } from 'vitest'
import { intervals } from '../../../src/platform/expression/interval.ts'
import { seeded } from './seeded.ts'

const whole = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.bigInt({ min: -20n, max: 20n }),
  fc.bigInt({ min: 2n ** 62n, max: 2n ** 62n + 20n })
)

test('a number is in many intervals when it is in one of them', () => {
  const interval = fc
    .tuple(whole, whole)
    .map(([one, other]) =>
      one <= other ? { first: one, last: other } : { first: other, last: one }
    )
  seeded(
    fc.property(fc.array(interval, { maxLength: 8 }), whole, (all, value) => {
      const expected = all.some(({ first, last }) => value >= first && value <= last)
      expect(intervals(all)(value)).toBe(expected)
    }),
    500
  )
})
