import { expect, test } from 'vitest'
import { judge } from '../../src/verdict/judge.ts'
import type { Evidence } from '../../src/verdict/verdict.ts'
import { boundary } from './boundaries.ts'
import { seen } from './observations.ts'

const said = (clause: string) => ({ clause, documented: '' })

test('a boundary is judged as a limit', () => {
  const limit = { clause: 'a', max: 50, unit: 'things', readings: [50] }
  const boundaries = [{ variant: '', boundary: boundary('found', '50+ 51-') }]
  expect(
    judge({ kind: 'boundary', limit, boundaries }, { clause: 'a', documented: '50 things' })
  ).toEqual({
    outcome: 'pass',
    observed: '50 things accepted, 51 refused (HTTP 413)',
    because: 'the line is where the document draws it, at 50 things'
  })
})

test('observations are judged for the clause in question', () => {
  const broken = [seen('a', { holds: false }), seen('b', { holds: true })]
  const evidence: Evidence = { kind: 'observations', attempts: [broken, broken, broken] }
  expect(judge(evidence, said('a')).outcome).toBe('fail')
  expect(judge(evidence, said('b')).outcome).toBe('pass')
  expect(judge(evidence, said('c')).outcome).toBe('inconclusive')
})

test.each(['blocked', 'error', 'inconclusive', 'untested'] as const)(
  'without evidence the outcome is the one that was found: %s',
  (outcome) => {
    const evidence: Evidence = { kind: 'none', outcome, because: 'the adapter has no clock' }
    const conclusion = { outcome, observed: 'nothing', because: 'the adapter has no clock' }
    expect(judge(evidence, said('a'))).toEqual(conclusion)
  }
)

test('advice that is not followed is a warning, and never a deviation: nobody accepted it', () => {
  const broken = [seen('a', { holds: false })]
  const evidence: Evidence = { kind: 'observations', attempts: [broken, broken, broken] }
  const { outcome, because } = judge(evidence, { ...said('a'), derived: true })
  expect(outcome).toBe('warning')
  expect(because).toMatch(/implies this and does not state it/)
})

test('judges read no prose: a sentence that begins with "derived" is a sentence', () => {
  const broken = [seen('a', { holds: false })]
  const evidence: Evidence = { kind: 'observations', attempts: [broken, broken, broken] }
  const documented = 'derived keys expire after a day'
  expect(judge(evidence, { clause: 'a', documented }).outcome).toBe('fail')
})
