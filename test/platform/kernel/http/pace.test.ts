import { expect, test } from 'vitest'
import { paced, usualPace } from '../../../../src/platform/kernel/http/pace.ts'

/** The span, counted from one, in which a sender is found too slow; each sends so many bytes. */
function cutIn(spans: readonly number[], isHeld = false): number | undefined {
  const isSlow = paced({ bytes: 100 }, 0)
  let bytes = 0
  const index = spans.findIndex((more) => {
    bytes += more
    return isSlow({ bytes, isHeld })
  })
  return index < 0 ? undefined : index + 1
}

test.each<[string, number[], number | undefined]>([
  ['nothing', [0], 1],
  ['too little', [99], 1],
  ['just enough, for ever', Array(10_000).fill(100), undefined],
  ['much, then nothing', [1_000_000, 0], 2],
  ['ever less', [102, 101, 100, 99], 4]
])('%s', (_, spans, expected) => {
  expect(cutIn(spans)).toBe(expected)
})

test('who is made to wait is not slow', () => {
  expect(cutIn([100, 0, 0, 0], true)).toBeUndefined()
})

test('540 MB may come at a MiB a second, and at a tenth of it', () => {
  const perSpan = (bytesPerSecond: number) => (bytesPerSecond * usualPace.spanMs) / 1_000
  for (const rate of [1_048_576, 104_858]) {
    const isSlow = paced(usualPace, 0)
    const spans = Math.ceil(540_000_000 / perSpan(rate))
    for (let span = 1; span <= spans; span++)
      expect(isSlow({ bytes: span * perSpan(rate), isHeld: false })).toBe(false)
  }
})
