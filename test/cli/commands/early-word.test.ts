import { expect, test } from 'vitest'
import { createEarlyWord } from '../../../src/cli/commands/early-word.ts'

/** What is said of questions that take so long, with so many ms for all of them. */
function said(
  took: readonly [value: number, ms: number][],
  { givenMs = 120_000, limits = 1 } = {}
) {
  const notes: string[] = []
  let now = 0
  const early = createEarlyWord({
    ...{ limit: 'connections', ceiling: 1_000, limits },
    clock: { now: () => now, until: async () => {} },
    leftMs: () => givenMs - now,
    note: (text) => notes.push(`${now / 1_000} s: ${text}`)
  })
  for (const [value, ms] of took) {
    now += ms
    early(value)
  }
  return notes
}

test('of slow answers it is said once that the time will not do', () => {
  const slow = [1, 100, 101, 101, 101, 102].map((value): [number, number] => [value, 60 * value])
  expect(said(slow)).toEqual([
    '12.12 s: connections: 101 at once take 6.1 s, so that it may end unclear without more time ' +
      '(--time) or fewer (--up-to connections=N)'
  ])
  expect(said(slow, { givenMs: 600_000 })).toEqual([])
})

test('of two limits of its kind each takes as long', () => {
  const slow = [100, 101, 101, 101].map((value): [number, number] => [value, 30 * value])
  expect(said(slow)).toEqual([])
  expect(said(slow, { limits: 2 })[0]).toMatch(/^12\.09 s: connections: 101 at once take 3\.0 s/)
})

test('of quick ones nothing is said, however many there were before', () => {
  expect(said([...Array(20).keys()].map(() => [100, 700] as [number, number]))).toEqual([])
})
