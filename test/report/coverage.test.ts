import { expect, test } from 'vitest'
import {
  coverageOf,
  coverageSentence,
  coveredPercent,
  openSentence,
  tally
} from '../../src/report/coverage.ts'
import { headline } from '../../src/report/legend.ts'
import { outcomes } from '../../src/verdict/outcome.ts'
import { sample } from './sample.ts'

test('every outcome counts; what was asked is judged, observed or undecided', () => {
  const verdicts = outcomes.map((outcome) => ({ scenario: 'one', clause: outcome, outcome }))
  expect(coverageOf(verdicts, 13)).toEqual({
    counts: Object.fromEntries(outcomes.map((outcome) => [outcome, 1])),
    coverage: { clauses: 13, judged: 4, observed: 2, undecided: 4, untested: 3 }
  })
})

test('a clause claimed twice is covered once, by the better of the two', () => {
  const verdicts = [
    { scenario: 'one', clause: 'a', outcome: 'blocked' },
    { scenario: 'one', clause: 'a', outcome: 'pass' },
    { scenario: 'one', clause: 'a', outcome: 'observed' },
    { scenario: 'one', clause: 'b', outcome: 'observed' },
    { scenario: 'one', clause: 'b', outcome: 'changed' },
    { scenario: 'one', clause: 'c', outcome: 'error' }
  ] as const
  expect(coverageOf(verdicts, 4).coverage).toEqual({
    clauses: 4,
    judged: 1,
    observed: 1,
    undecided: 1,
    untested: 1
  })
})

test('what one way did not ask, and another did, is not untested', () => {
  const verdicts = [
    { scenario: 'one', clause: 'a', outcome: 'untested' },
    { scenario: 'two', clause: 'a', outcome: 'pass' }
  ] as const
  expect(coverageOf(verdicts, 1).coverage).toMatchObject({ judged: 1, undecided: 0, untested: 0 })
  expect(headline(verdicts).text).toBe('1 clause holds')
})

test('a load that claims no clause is judged by itself and covers none', () => {
  const verdicts = [{ scenario: 'load/list', clause: 'load/list', outcome: 'pass' }] as const
  expect(coverageOf(verdicts, 4)).toEqual({
    counts: { pass: 1 },
    coverage: { clauses: 4, judged: 0, observed: 0, undecided: 0, untested: 4 }
  })
})

test('a clause may be called as the scenario that claims it', () => {
  const verdicts = [
    { scenario: 'login', clause: 'login', outcome: 'pass' },
    { scenario: 'load', clause: 'load', outcome: 'pass' }
  ] as const
  const plan = [
    { t: 'scenario', id: 'login', clauses: ['login'] },
    { t: 'scenario', id: 'load', clauses: [] }
  ] as const
  const own = plan.map(({ clauses, ...one }) => ({ ...one, clauses: [...clauses] }))
  expect(coverageOf(verdicts, 1, own).coverage).toMatchObject({ judged: 1, untested: 0 })
  expect(headline(verdicts, own).text).toBe('1 clause and 1 scenario hold')
})

test('an interrupted run amounts to what its verdicts say', () => {
  const whole = sample()
  const { counts, coverage } = whole.footer!
  expect(tally({ ...whole, footer: undefined })).toEqual({ counts, coverage })
})

test.each([
  [{ clauses: 1_000, judged: 998, observed: 1, untested: 1 }, 99],
  [{ clauses: 3, judged: 2, observed: 1, untested: 0 }, 100],
  [{ clauses: 0, judged: 0, observed: 0, untested: 0 }, 0]
])('%j covers %i %%', (coverage, percent) => {
  expect(coveredPercent(coverage)).toBe(percent)
})

test('the sentence has every number', () => {
  const coverage = { clauses: 425, judged: 361, observed: 40, untested: 24 }
  expect(coverageSentence(coverage)).toBe(
    '401 of 425 clauses covered (94 %): 361 judged, 40 observed, 24 untested'
  )
})

test('what a document leaves open is told apart, where it leaves something open', () => {
  expect(openSentence({ sha256: '', clauses: 427, open: 64 })).toBe(
    '363 of the document, 64 it leaves open'
  )
  expect(openSentence({ sha256: '', clauses: 427, open: 0 })).toBeUndefined()
  expect(openSentence({ sha256: '', clauses: 427 })).toBeUndefined()
})
