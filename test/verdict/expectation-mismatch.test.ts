import { expect, test } from 'vitest'
import {
  type Expectations,
  type KnownDeviation,
  schemaName
} from '../../src/verdict/expectation.ts'
import { remarks } from '../../src/verdict/expectation-mismatch.ts'
import { concluded } from './verdicts.ts'

const terms = { file: 'e.json', strict: false, whole: true }
const accepted = { clause: 'url.length', reason: 'r', until: '2027-03-31' }

function expecting(...deviations: KnownDeviation[]): Expectations {
  return { schema: schemaName, deviations, observations: [] }
}

const passing = (scenario: string) => concluded({ scenario, outcome: 'pass' })
const removable = 'url.length passes: its deviation can be removed from e.json'

test.each([false, true])('a deviation that is none any more is told; strict: %s', (strict) => {
  const known = expecting(accepted)
  expect(remarks([passing('a')], known, { ...terms, strict })).toEqual([
    { clause: 'url.length', text: removable, failing: strict }
  ])
})

test.each(['fail', 'deviation', 'inconclusive', 'blocked', 'error', 'untested'] as const)(
  'one that is %s somewhere is still needed',
  (outcome) => {
    const verdicts = [passing('a'), concluded({ scenario: 'b', outcome })]
    const known = expecting(accepted)
    expect(remarks(verdicts, known, terms)).toEqual([])
  }
)

test('one that a longer tier may still find is not told', () => {
  const known = expecting(accepted)
  const claims = ['a', 'b'].map((scenario) => ({ scenario, clause: 'url.length' }))
  expect(remarks([passing('a')], known, { ...terms, claims })).toEqual([])
  expect(remarks([passing('a'), passing('b')], known, { ...terms, claims })).toHaveLength(1)
  const own = expecting({ ...accepted, scenario: 'a' })
  expect(remarks([passing('a')], own, { ...terms, claims })).toMatchObject([
    { text: 'url.length passes in a: its deviation can be removed from e.json' }
  ])
})

test('an entry nothing judges is told of a whole run, and never fails it', () => {
  const known: Expectations = {
    ...expecting({ ...accepted, clause: 'lost' }),
    observations: [{ clause: 'rate', scenario: 'a', observed: '' }]
  }
  const strict = { ...terms, strict: true }
  expect(remarks([passing('a')], known, { ...strict, whole: false })).toEqual([])
  expect(remarks([passing('a')], known, strict)).toEqual([
    {
      ...{ clause: 'lost', failing: false },
      text: 'lost is in e.json, and no scenario judges it: the entry does nothing'
    },
    {
      ...{ clause: 'rate', failing: false },
      text: 'rate is in e.json, and no scenario judges it: the entry does nothing'
    }
  ])
  const claims = [
    { clause: 'lost', scenario: 'long/one' },
    { clause: 'rate', scenario: 'a' }
  ]
  expect(remarks([passing('a')], known, { ...strict, claims })).toEqual([])
})
