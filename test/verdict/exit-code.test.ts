import { expect, test } from 'vitest'
import { exitCode } from '../../src/verdict/exit-code.ts'
import type { OutcomeCounts } from '../../src/verdict/outcome.ts'

const coverage = { clauses: 100, judged: 50, observed: 20, untested: 30 }

const rows: [counts: OutcomeCounts, requireCoverage: number | undefined, code: number][] = [
  [{ pass: 5 }, undefined, 0],
  [{ pass: 5, observed: 2, changed: 1, deviation: 1, inapplicable: 1, untested: 9 }, undefined, 0],
  [{ observed: 2 }, undefined, 0],
  [{ pass: 5, fail: 1 }, undefined, 1],
  [{ fail: 1, error: 1, inconclusive: 1, blocked: 1 }, 100, 1],
  [{ pass: 5, error: 1 }, undefined, 3],
  [{ error: 1, inconclusive: 1, blocked: 1 }, 100, 3],
  [{ pass: 5, inconclusive: 1 }, undefined, 2],
  [{ pass: 5, blocked: 1 }, undefined, 2],
  [{ blocked: 1 }, 100, 2],
  [{}, undefined, 4],
  [{ pass: 0 }, undefined, 4],
  [{ untested: 3, inapplicable: 2 }, undefined, 4],
  [{ pass: 5 }, 70, 0],
  [{ pass: 5 }, 70.1, 4],
  [{ pass: 5 }, 0, 0]
]

test.each(rows)('%j with %s %% required: %i', (counts, requireCoverage, code) => {
  expect(exitCode(counts, { coverage, requireCoverage })).toBe(code)
})

test('a document without clauses covers nothing, so a demand on it is not met', () => {
  const none = { clauses: 0, judged: 0, observed: 0, untested: 0 }
  expect(exitCode({ pass: 1 }, { coverage: none })).toBe(0)
  expect(exitCode({ pass: 1 }, { coverage: none, requireCoverage: 1 })).toBe(4)
})

test.each([
  [{ pass: 5, warning: 1 }, 1, 0],
  [{ warning: 1 }, 1, 0],
  [{ warning: 1, error: 1 }, 1, 3],
  [{ warning: 1, blocked: 1 }, 1, 2],
  [{ warning: 1, fail: 1 }, 1, 1]
])('%j: advice fails it, %i, or is only told, %i', (counts: OutcomeCounts, failing, warning) => {
  expect(exitCode(counts, { coverage })).toBe(failing)
  expect(exitCode(counts, { coverage, advice: 'fail' })).toBe(failing)
  expect(exitCode(counts, { coverage, advice: 'warn' })).toBe(warning)
})

test.each([
  [{ pass: 5, changed: 1 }, 1],
  [{ pass: 5, inconclusive: 1 }, 1],
  [{ pass: 5, error: 1 }, 1],
  [{}, 1]
])('%j with a breach: %i', (counts: OutcomeCounts, code) => {
  expect(exitCode(counts, { coverage, breaches: 1 })).toBe(code)
  expect(exitCode(counts, { coverage, breaches: 0 })).not.toBe(code)
})
