import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { above0, count, finite, from0, lasting, percent, whole } from '../src/number.ts'

describe('what a number may be', () => {
  test.each([
    { name: 'finite', schema: finite, takes: [-1, 0, 0.5], refuses: [Infinity, NaN, '1'] },
    { name: 'count', schema: count, takes: [0, 0.5], refuses: [-1, Infinity, NaN] },
    { name: 'from0(5)', schema: from0(5), takes: [0, 5], refuses: [-1, 5.1, NaN] },
    { name: 'above0', schema: above0, takes: [0.1], refuses: [0, Infinity, NaN] },
    { name: 'lasting', schema: lasting, takes: [0.1, Infinity], refuses: [0, -1, NaN] },
    { name: 'whole()', schema: whole(), takes: [1, 2], refuses: [0, 1.5, Infinity, NaN] },
    { name: 'whole(2)', schema: whole(2), takes: [1, 2], refuses: [0, 3] }
  ])('$name', ({ schema, takes, refuses }) => {
    expect(takes.filter((value) => !v.is(schema, value))).toEqual([])
    expect(refuses.filter((value) => v.is(schema, value))).toEqual([])
  })
})

test('a share is told as a percentage of few digits', () => {
  expect([0.5, 0.01234, 1].map((share) => percent(share))).toEqual(['50 %', '1.23 %', '100 %'])
  expect(percent(0.1234, 2)).toBe('12 %')
})
