import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { judgePair, type PairTerms } from '../../src/verdict/judge-pair.ts'
import { judgeAgain, termsAgain, unlessSuspected } from '../../src/verdict/pair-again.ts'
import type { Block } from '../../src/verdict/trial.ts'
import { blocksAbout } from './pairs.ts'
import { trialOfTimes } from './served.ts'

const margins = { nothing: Math.log(1.01), budget: Math.log(1.05) }
const terms: PairTerms = {
  ...{ metric: 'p50', margins, unit: 'processes' },
  looks: { at: [8], level: 0.0085 }
}

/** Starts of a thousand responses a side, of which so many of B's take twelve times as long. */
const starts = (slow: readonly number[]) =>
  slow.map((count, at) => {
    const times = (slow: number) =>
      trialOfTimes(Array.from({ length: 1_000 }, (_, n) => (n < slow ? 12_000 : 1_000 + (at % 3))))
    return [{ a: times(0), b: times(count) }]
  })

test('that nothing got worse is not said where a tail is suspected and left open', () => {
  const told = (slow: number[]) => {
    const conclusion = judgePair(starts(slow), terms)
    expect(conclusion.verdict).toBe('no-regression')
    return unlessSuspected(conclusion, terms)
  }
  const suspected = told([5, 6, 4, 5, 6, 5, 0, 0])
  expect(suspected.verdict).toBe('inconclusive')
  expect(suspected.because).toMatch(
    /% of B's requests take 12 times .* may be chance, and a longer/
  )
  // One in sixteen comparisons of alike builds shows so much.
  expect(told([5, 6, 4, 5, 0, 0, 0, 0]).verdict).toBe('no-regression')
  const regressed = judgePair(starts([5, 6, 4, 5, 6, 5, 5, 4]), terms)
  expect(unlessSuspected(regressed, terms)).toBe(regressed)
})

test('a suspicion beside the gate confirms nothing that the gate found', () => {
  const byUrl: PairTerms = { ...terms, unit: 'pair', looks: { at: [24], level: 0.0085 } }
  /** Pairs of which B takes so many times as long, and some of its responses ten times that. */
  const pairs = (count: number, factor: number, slow: readonly number[]) =>
    Array.from({ length: count }, (_, at) => {
      const times = (factor: number, slow: number) =>
        trialOfTimes(
          Array.from({ length: 1_000 }, (_, n) => factor * (n < slow ? 10_000 : 1_000 + (at % 3)))
        )
      return [{ a: times(1, 0), b: times(factor, slow[at % slow.length]!) }]
    })
  const cold = pairs(24, 1.3, [8])
  const first = judgePair(cold, byUrl)
  expect(first).toMatchObject({ verdict: 'regressed', besides: expect.arrayContaining(['shape']) })
  const warm = pairs(12, 0.995, [2, 0, 0, 0, 0, 0])
  const again = { ...byUrl, looks: { at: [12], level: 0.1 } }
  const fresh = judgePair(warm, termsAgain(again, first))
  expect(fresh.shape!.p).toBeLessThan(0.5)
  const pooled = judgePair([...cold, ...warm], { ...byUrl, looks: { at: [36], level: 0.0085 } })
  expect(pooled.verdict).toBe('regressed')
  expect(judgeAgain(first, fresh, pooled).verdict).toBe('inconclusive')
})

test('who is faster and fails more, then and again, has regressed', () => {
  const byStarts: PairTerms = { ...terms, looks: { at: [6], level: 0.0085 } }
  const starts = (count: number, failures: number) =>
    blocksAbout(-0.2, count, random(count, 'failures'), 0.01).map((pairs) =>
      pairs.map(({ a, b }) => ({ a, b: { ...b, failures, errors: { '5xx': failures } } }))
    )
  const look = (blocks: readonly Block[]) =>
    judgePair(blocks, { ...byStarts, looks: { ...byStarts.looks, at: [blocks.length] } })
  const judged = (before: readonly Block[], after: readonly Block[]) => {
    const first = { ...look(before), verdict: 'improved' as const, worse: undefined }
    const fresh = judgePair(after, termsAgain({ ...terms, looks: { at: [4], level: 0.1 } }, first))
    return judgeAgain(first, fresh, look([...before, ...after]))
  }
  const again = judged(starts(6, 2), starts(4, 2))
  expect(again).toMatchObject({ verdict: 'regressed', worse: { metric: 'errors' } })
  expect(judged(starts(16, 2), starts(4, 0)).verdict).toBe('inconclusive')
})
