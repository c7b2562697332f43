import { expect, test } from 'vitest'
import { type Expectations, expected, schemaName } from '../../src/verdict/expectation.ts'
import { merged, unlisted } from '../../src/verdict/expectation-merge.ts'
import { boundary } from './boundaries.ts'
import { concluded } from './verdicts.ts'

const acceptance = { reason: 'until the move', until: '2027-03-31' }
const nothing: Expectations = { schema: schemaName, deviations: [], observations: [] }
const limit = { clause: 'url.length', max: 16_000, unit: 'bytes', readings: [16_000] }
const boundaries = [{ variant: '', boundary: boundary('found', '8177+ 8178-') }]
const line = concluded({ evidence: { kind: 'boundary', limit, boundaries } })
const broken = concluded({ scenario: 'a', clause: 'json', observed: 'HTTP 200 {"id":7}' })
const open = concluded({ scenario: 'b', clause: 'rate', outcome: 'observed', observed: 'none' })
const run = [line, broken, open, concluded({ clause: 'x', outcome: 'pass' })]

test('what fails is accepted and what was observed kept; limits are held to their numbers', () => {
  const { expectations, added } = merged(nothing, run, { acceptance, mode: 'add' })
  expect(expectations).toEqual({
    schema: schemaName,
    deviations: [
      { clause: 'url.length', scenario: 'edge/url', observed: line.observed, ...acceptance },
      { clause: 'json', scenario: 'a', ...acceptance }
    ],
    observations: [{ clause: 'rate', scenario: 'b', observed: 'none' }]
  })
  expect(added).toEqual({ deviations: 2, observations: 1 })
})

test('a run held against what was made of it fails nowhere, and again adds nothing', () => {
  const { expectations } = merged(nothing, run, { acceptance, mode: 'add' })
  const outcomes = run.map((one) => expected(one, expectations, '2027-01-01').outcome)
  expect(outcomes).toEqual(['deviation', 'deviation', 'observed', 'pass'])
  const other = { reason: 'another', until: '2030-01-01' }
  const again = merged(expectations, run, { acceptance: other, mode: 'update' })
  expect(again.expectations).toEqual(expectations)
  expect(again).toMatchObject({ added: { deviations: 0, observations: 0 }, differing: [] })
})

test.each(['inconclusive', 'blocked', 'error', 'deviation', 'untested', 'pass'] as const)(
  'nothing is made of what is %s',
  (outcome) => {
    const given = merged(nothing, [concluded({ outcome })], { acceptance, mode: 'update' })
    expect(given.expectations).toEqual(nothing)
  }
)

const before: Expectations = {
  schema: schemaName,
  deviations: [
    { clause: 'url.length', observed: 'less', reason: 'old', until: '2020-01-01' },
    { clause: 'x', reason: 'gone', until: '2027-01-01' },
    { clause: 'elsewhere', reason: 'not asked', until: '2027-01-01' }
  ],
  observations: [{ clause: 'rate', scenario: 'b', observed: '200' }]
}

test('entries stay as they are unless an update is asked for', () => {
  const { expectations, differing } = merged(before, run, { acceptance, mode: 'add' })
  expect(expectations.deviations.slice(0, 3)).toEqual(before.deviations)
  expect(expectations.deviations.slice(3)).toMatchObject([{ clause: 'json' }])
  expect(expectations.observations).toEqual(before.observations)
  expect(differing.map(({ clause }) => clause)).toEqual(['x', 'url.length', 'rate'])
})

test('an update takes over what was observed, drops what passes, keeps reasons and days', () => {
  const { expectations, differing } = merged(before, run, { acceptance, mode: 'update' })
  expect(expectations.deviations).toEqual([
    { ...before.deviations[0], observed: line.observed },
    before.deviations[2],
    { clause: 'json', scenario: 'a', ...acceptance }
  ])
  expect(Object.hasOwn(expectations.deviations[1]!, 'observed')).toBe(false)
  expect(expectations.observations).toEqual([{ clause: 'rate', scenario: 'b', observed: 'none' }])
  expect(differing).toHaveLength(3)
})

test('failures without an acceptance are named, and not added', () => {
  expect(unlisted(before, run)).toEqual([broken])
  const { expectations } = merged(before, run, { mode: 'add' })
  expect(expectations.deviations).toEqual(before.deviations)
})
