import { expect, test } from 'vitest'
import { soonerThanUsual } from '../../../src/limit/layers/timing.ts'

test('a refusal that comes much sooner than any usual answer is of somebody before', () => {
  expect(soonerThanUsual({ refused: [0.9, 1.1, 30, 0.8, 1], usual: [42, 25.1, 60] })).toBe(
    'somebody before whoever answers as usual, by the time: within 1.1 ms, and that takes 25 ms'
  )
})

test.each([
  ['as late as what is usual', [24, 26, 25, 25, 27], [25, 26]],
  ['sooner by less than a busy machine is late', [0.3, 0.3, 0.4, 0.3, 0.3], [1.2, 2]],
  ['late more than once', [1, 30, 1, 28, 1], [25, 26]],
  ['nothing was asked', [], [25]]
] as const)('nothing is told of refusals: %s', (_, refused, usual) => {
  expect(soonerThanUsual({ refused, usual })).toBeUndefined()
})
