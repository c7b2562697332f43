import { expect, test } from 'vitest'
import { lostByB } from '../../src/verdict/pair-losses.ts'

test.each([
  ['refuses a few', [0, 0], [12, 12], /^B left 12 of 900 requests without .* and A none of 1000$/],
  ['breaks two off', [0, 0], [2, 2], /^B left 2 of 900 /],
  ['breaks one off', [0, 0], [1, 1], undefined],
  ['breaks off as many as A', [5, 5], [6, 6], undefined],
  ['says no to five', [0, 0], [0, 5], /^B failed 5 of 900 requests, warm-up .* none of 1000$/],
  ['says no to four, which is chance', [0, 0], [0, 4], undefined],
  ['says no twice as often as A', [0, 40], [0, 80], undefined]
] as const)('a B that %s', (_, inA, inB, said) => {
  const losses = ([unanswered, failures]: readonly [number, number], requests: number) => {
    return { unanswered, failures, requests }
  }
  const text = lostByB({ a: losses(inA, 1_000), b: losses(inB, 900) })
  if (said === undefined) expect(text).toBe(undefined)
  else expect(text).toMatch(said)
})
