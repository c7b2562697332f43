import { expect, test } from 'vitest'
import { measureOffset, offsetOf } from '../../src/fleet/shared-time.ts'

test.each([
  ['there and back at once', [[100, 350, 100]], { ms: 250, errorMs: 0 }],
  ['as slow there as back', [[100, 360, 120]], { ms: 250, errorMs: 10 }],
  [
    'the fastest counts',
    [
      [0, 300, 80],
      [100, 352, 104],
      [200, 500, 260]
    ],
    { ms: 250, errorMs: 2 }
  ],
  ['a clock that is behind', [[1_000, 400, 1_002]], { ms: -601, errorMs: 1 }]
] as const)('%s', (_, glimpses, offset) => {
  const seen = glimpses.map(([sentMs, sharedMs, backMs]) => ({ sentMs, sharedMs, backMs }))
  expect(offsetOf(seen)).toEqual(offset)
})

test('whatever the network does, the offset is as near as it says', async () => {
  const delays = [3, 40, 1, 9, 7, 2, 30, 5, 1, 12, 8, 6, 21, 4, 0.5, 9, 11, 2]
  let now = 1_000
  let n = 0
  const pass = () => {
    now += delays[n++ % delays.length]!
  }
  const shared = async () => {
    pass()
    const answer = now + 123
    pass()
    return answer
  }
  const { ms, errorMs } = await measureOffset(shared, { now: () => now })
  expect(Math.abs(ms - 123)).toBeLessThanOrEqual(errorMs)
  expect(errorMs).toBeLessThan(6)
})
