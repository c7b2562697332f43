import { expect, test } from 'vitest'
import { countsText, headline, legend, worstFirst } from '../../src/report/legend.ts'
import { type OutcomeCounts, outcomes } from '../../src/verdict/outcome.ts'

test('no two outcomes look alike', () => {
  expect(new Set(outcomes.map((outcome) => legend[outcome].mark)).size).toBe(outcomes.length)
})

/** Verdicts about as many different clauses. */
function verdictsOf(counts: OutcomeCounts) {
  return outcomes.flatMap((outcome) =>
    Array.from({ length: counts[outcome] ?? 0 }, (_, index) => {
      return { scenario: 'edge/size', clause: `${outcome}-${index}`, outcome }
    })
  )
}

test.each([
  [{ fail: 2, pass: 40, error: 1 }, 'fail', '2 clauses fail'],
  [{ fail: 1 }, 'fail', '1 clause fails'],
  [{ warning: 1, error: 2, pass: 3 }, 'warning', '1 clause goes against advice'],
  [{ warning: 2, fail: 1 }, 'fail', '1 clause fails'],
  [{ error: 1, inconclusive: 3 }, 'error', '1 clause could not be checked'],
  [{ inconclusive: 3, blocked: 1, pass: 9 }, 'inconclusive', '3 clauses are inconclusive'],
  [{ blocked: 1, pass: 9 }, 'blocked', '1 clause is blocked'],
  [{ pass: 9, observed: 4 }, 'pass', '9 clauses hold'],
  [{ pass: 1, deviation: 1 }, 'pass', '1 clause holds, 1 deviates as expected'],
  [{ pass: 9, deviation: 2, observed: 1 }, 'pass', '9 clauses hold, 2 deviate as expected'],
  [{ pass: 9, inapplicable: 1 }, 'pass', '9 clauses hold, 1 does not apply'],
  [
    { pass: 9, deviation: 1, inapplicable: 2 },
    'pass',
    '9 clauses hold, 1 deviates as expected, 2 do not apply'
  ],
  [{ deviation: 2, observed: 1 }, 'deviation', '2 clauses deviate as expected'],
  [{ pass: 9, deviation: 1, changed: 1 }, 'changed', '1 clause is not as last time'],
  [{ changed: 2, fail: 1, deviation: 1 }, 'fail', '1 clause fails'],
  [{ changed: 2, blocked: 1 }, 'blocked', '1 clause is blocked'],
  [{ observed: 4 }, 'observed', '4 clauses observed, none judged'],
  [{ untested: 4, inapplicable: 1 }, 'untested', 'Nothing was checked'],
  [{}, 'untested', 'Nothing was checked']
] as const)('%j comes down to %s: %s', (counts, outcome, text) => {
  expect(headline(verdictsOf(counts))).toEqual({ outcome, text })
})

test('clauses count once, and a load that claims none is a scenario', () => {
  const pass = (scenario: string, clause = scenario) => {
    return { scenario, clause, outcome: 'pass' } as const
  }
  expect(headline([pass('load/a')]).text).toBe('1 scenario holds')
  expect(headline([pass('load/a'), pass('a', 'size')]).text).toBe('1 clause and 1 scenario hold')
  expect(headline([pass('a', 'size'), pass('b', 'size')]).text).toBe('1 clause holds')
  const fails = { ...pass('c', 'size'), outcome: 'fail' } as const
  expect(headline([pass('a', 'size'), fails]).text).toBe('1 clause fails')
})

test('counts are told worst first, without what does not occur', () => {
  expect(countsText({ pass: 41, fail: 3, observed: 0, blocked: 1 })).toBe(
    '3 fail · 1 blocked · 41 pass'
  )
  expect(countsText({})).toBe('no verdicts')
})

test('the worst come first, equals stay in order', () => {
  const verdicts = (['pass', 'fail', 'pass', 'error', 'fail'] as const).map((outcome, index) => ({
    outcome,
    index
  }))
  expect(worstFirst(verdicts).map((one) => one.index)).toEqual([1, 4, 3, 0, 2])
})
