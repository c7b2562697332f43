import { expect, test } from 'vitest'
import { allowance } from '../../../../src/platform/page-protection/monitor/allowance.ts'

/** How many of a hundred are allowed at a time. */
const counting = (rate: Parameters<typeof allowance>[0]) => {
  const isAllowed = allowance(rate)
  return (name: string, nowMs: number) =>
    Array.from({ length: 100 }, () => isAllowed(name, nowMs)).filter(Boolean).length
}

test('a burst at once, then what came back since, and never more than a burst', () => {
  const count = counting({ burst: 20, perSecond: 4 })
  expect([0, 0, 1_000, 1_100, 1_250, 999_999].map((at) => count('a', at))).toEqual([
    ...[20, 0, 4, 0, 1, 20]
  ])
})

test('each name has its own', () => {
  const count = counting({ burst: 3, perSecond: 1 })
  expect([count('a', 0), count('b', 0), count('a', 2_000), count('b', 5_000)]).toEqual([3, 3, 2, 3])
})
