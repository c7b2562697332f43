import fc from 'fast-check'
import { expect, test } from 'vitest'
import { slidingWindow } from '../../../src/platform/functions/window.ts'

test('takes so many, then says how long to wait', () => {
  const take = slidingWindow({ most: 3, windowMs: 100 })
  expect([0, 10, 20, 30].map((now) => take('a', now))).toEqual([0, 0, 0, 70])
  expect(take('b', 30)).toBe(0)
  expect([99, 100, 105, 110].map((now) => take('a', now))).toEqual([1, 0, 5, 0])
})

test('never takes more in any stretch, and never refuses what fits', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 60 }),
      (most, gaps) => {
        const windowMs = 50
        const take = slidingWindow({ most, windowMs })
        const taken: number[] = []
        let now = 0
        for (const gap of gaps) {
          now += gap
          const recent = taken.filter((at) => now - at < windowMs)
          const fits = recent.length < most
          expect(take('key', now) === 0).toBe(fits)
          if (fits) taken.push(now)
        }
      }
    )
  )
})

test('forgets keys that have been quiet', () => {
  const take = slidingWindow({ most: 1, windowMs: 10 })
  for (let key = 0; key < 5_000; key++) expect(take(`key ${key}`, key)).toBe(0)
  expect(take('key 4999', 5_000)).toBe(9)
})
