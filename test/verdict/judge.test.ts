import { expect, test } from 'vitest'
import { judge } from '../../src/verdict/judge.ts'
import type { Evidence } from '../../src/verdict/verdict.ts'
import { boundary } from './boundaries.ts'
import { seen } from './observations.ts'

test('a boundary is judged as a limit', () => {
  const limit = { clause: 'a', max: 50, unit: 'things', readings: [50] }
  const boundaries = [{ variant: '', boundary: boundary('found', '50+ 51-') }]
  expect(judge({ kind: 'boundary', limit, boundaries }, 'a', '50 things')).toEqual({
    outcome: 'pass',
    observed: '50 things accepted, 51 refused (HTTP 413)',
    because: 'the line is where the document draws it, at 50 things'
  })
})

test('observations are judged for the clause in question', () => {
  const broken = [seen('a', { holds: false }), seen('b', { holds: true })]
  const evidence: Evidence = { kind: 'observations', attempts: [broken, broken] }
  expect(judge(evidence, 'a', '').outcome).toBe('fail')
  expect(judge(evidence, 'b', '').outcome).toBe('pass')
  expect(judge(evidence, 'c', '').outcome).toBe('inconclusive')
})

test.each(['blocked', 'error', 'inconclusive', 'untested'] as const)(
  'without evidence the outcome is the one that was found: %s',
  (outcome) => {
    const evidence: Evidence = { kind: 'none', outcome, because: 'the adapter has no clock' }
    const conclusion = { outcome, observed: 'nothing', because: 'the adapter has no clock' }
    expect(judge(evidence, 'a', '')).toEqual(conclusion)
  }
)

test('what is only derived from the document can deviate, and never fail', () => {
  const broken = [seen('a', { holds: false })]
  const evidence: Evidence = { kind: 'observations', attempts: [broken, broken] }
  const { outcome, because } = judge(
    evidence,
    'a',
    'derived: a call without credentials is refused'
  )
  expect(outcome).toBe('deviation')
  expect(because).toMatch(/implies this and does not state it/)
})
