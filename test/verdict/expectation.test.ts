import { expect, test } from 'vitest'
import {
  type Expectations,
  expected,
  parseExpectations,
  schemaName
} from '../../src/verdict/expectation.ts'
import { outcomes } from '../../src/verdict/outcome.ts'
import { concluded } from './verdicts.ts'

const deviation = { clause: 'url.length', reason: 'until the move', until: '2027-03-31' }
const observation = { scenario: 'not-shown/rate', clause: 'rate', observed: 'none' }

function expecting(parts: Partial<Expectations> = {}): Expectations {
  return { schema: schemaName, deviations: [], observations: [], ...parts }
}

const accepting = (parts: object = {}) => expecting({ deviations: [{ ...deviation, ...parts }] })

test('a failure that is accepted is a deviation, with the reason and the day', () => {
  const verdict = concluded()
  expect(expected(verdict, accepting(), '2027-01-01')).toEqual({
    ...verdict,
    outcome: 'deviation',
    because: '8178 is refused; accepted until 2027-03-31: until the move'
  })
})

test.each([
  ['2027-03-31', 'deviation'],
  ['2027-04-01', 'fail'],
  ['2028-01-01', 'fail']
])('what is accepted until 2027-03-31 is on %s a %s', (day, outcome) => {
  expect(expected(concluded(), accepting(), day).outcome).toBe(outcome)
})

test('advice that is not followed is accepted as a failure is, and stays what it is after', () => {
  const warning = concluded({ outcome: 'warning' })
  expect(expected(warning, accepting(), '2027-03-31').outcome).toBe('deviation')
  expect(expected(warning, accepting(), '2027-04-01').outcome).toBe('warning')
})

test('a failure whose acceptance is over says since when', () => {
  const { because } = expected(concluded(), accepting(), '2027-04-01')
  expect(because).toBe('8178 is refused; the acceptance (until the move) expired on 2027-03-31')
})

test('a failure that looks different from what is accepted stays one, and says so', () => {
  const { observed } = concluded()
  const pinned = accepting({ observed })
  expect(expected(concluded(), pinned, '2027-01-01').outcome).toBe('deviation')
  const worse = expected(concluded({ observed: 'nothing accepted' }), pinned, '2027-01-01')
  expect(worse).toMatchObject({ outcome: 'fail', observed: 'nothing accepted' })
  expect(worse.because).toBe(
    `8178 is refused; it looks different from what is accepted, “${observed}” (until the move)`
  )
})

test('an entry that names a scenario is about that one, and goes before one that does not', () => {
  const elsewhere = accepting({ scenario: 'edge/other' })
  expect(expected(concluded(), elsewhere, '2027-01-01').outcome).toBe('fail')
  const both = expecting({
    deviations: [deviation, { ...deviation, scenario: 'edge/url', reason: 'its own' }]
  })
  expect(expected(concluded(), both, '2027-01-01').because).toMatch(/: its own$/)
})

const silent = {
  ...{ scenario: 'not-shown/rate', clause: 'rate', outcome: 'observed' as const },
  because: 'the document is silent; what the target does is recorded'
}

test.each([
  ['none', 'observed'],
  ['HTTP 429 after 200', 'changed']
])('where it was "none" last time, %s is %s', (observed, outcome) => {
  const verdict = concluded({ ...silent, observed })
  const held = expected(verdict, expecting({ observations: [observation] }), '2027-01-01')
  expect(held).toMatchObject({ outcome, observed })
  if (outcome === 'changed') {
    expect(held.because).toBe(
      'the document is silent; it was “none” last time, and is “HTTP 429 after 200”'
    )
  } else expect(held).toEqual(verdict)
})

test('what is observed for the first time, or in another scenario, stays as it is', () => {
  const verdict = concluded({ ...silent, scenario: 'elsewhere', observed: 'new' })
  expect(expected(verdict, expecting({ observations: [observation] }), '2027-01-01')).toEqual(
    verdict
  )
})

test('no other verdict is touched', () => {
  const known = expecting({
    deviations: [deviation],
    observations: [{ ...observation, scenario: 'edge/url', clause: 'url.length' }]
  })
  const others = outcomes.filter((outcome) => !['fail', 'warning', 'observed'].includes(outcome))
  for (const outcome of others) {
    const verdict = concluded({ outcome })
    expect(expected(verdict, known, '2027-01-01')).toBe(verdict)
  }
})

test('a file is read as it stands, and a list may be left out', () => {
  const file = { schema: schemaName, deviations: [deviation], observations: [observation] }
  expect(parseExpectations(JSON.stringify(file), 'e.json')).toEqual(file)
  expect(parseExpectations(JSON.stringify({ schema: schemaName }), 'e.json')).toEqual(expecting())
})

const { reason: _, ...unexplained } = deviation
const { until: __, ...endless } = deviation
const ofDeviations = (...deviations: object[]) => ({ schema: schemaName, deviations })

test.each([
  ['no JSON', '{', /^e\.json is not JSON: /],
  ['a number', 3, /^e\.json: it must be an object with "schema": "plimsoll-expectations\/1"/],
  ['no schema', {}, /^e\.json: schema is missing: add "plimsoll-expectations\/1"$/],
  ['another schema', { schema: 'x/2' }, /^e\.json: schema must be "plimsoll-expectations\/1"$/],
  ['an unknown list', { schema: schemaName, accepted: [] }, /: accepted is not a known field/],
  ['no list', { schema: schemaName, deviations: {} }, /: deviations must be a list of/],
  ['no object', ofDeviations('x' as never), /: deviations\.0 must be an object with the fields/],
  ['no reason', ofDeviations(unexplained), /: deviations\.0\.reason is missing: add why it is/],
  ['a blank reason', ofDeviations({ ...deviation, reason: ' ' }), /\.0\.reason must be why/],
  ['no day', ofDeviations(endless), /deviations\.0\.until is missing: add the last day on which/],
  ['a day that is none', ofDeviations({ ...deviation, until: '2027-02-30' }), /such as 2027-03-31/],
  ['an hour', ofDeviations({ ...deviation, until: '2027-02-03T10:00Z' }), /until must be the last/],
  ['a number for a clause', ofDeviations({ ...deviation, clause: 1 }), /clause must be the id of/],
  ['a misspelt field', ofDeviations({ ...deviation, untill: '' }), /untill is not a known field/],
  [
    'an entry twice',
    ofDeviations(deviation, deviation),
    /\.1 is about url\.length, as dev.*\.0 is/
  ],
  [
    'an observation twice',
    { schema: schemaName, observations: [observation, { ...observation, observed: 'x' }] },
    /observations\.1 is about rate of not-shown\/rate, as observations\.0 is: remove one of them$/
  ],
  [
    'an observation without its scenario',
    { schema: schemaName, observations: [{ clause: 'rate', observed: 'x' }] },
    /observations\.0\.scenario is missing: add the id of a scenario/
  ]
])('%s is refused, with the file, the field and the fix', (_, given, message) => {
  const text = typeof given === 'string' ? given : JSON.stringify(given)
  expect(() => parseExpectations(text, 'e.json')).toThrow(message)
})
