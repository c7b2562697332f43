import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contentsOf } from '../../src/cli/saved/contents.ts'
import { badge } from '../../src/publish/badge.ts'
import { clausesOf, limitsFile, parseLimits } from '../../src/publish/limits-file.ts'
import { leftOut, limitsOf, ratesOf, requestRatesOf } from '../../src/publish/rates.ts'
import type { VerdictRecord } from '../../src/report/record.ts'
import { type Clause, documentedReadings, parseInventory } from '../../src/scenario/clause.ts'
import type { Outcome } from '../../src/verdict/outcome.ts'
import { sample } from '../report/sample.ts'

const place = 'scenarios/clauses.json'
const ours = parseInventory(readFileSync(place, 'utf8'), place)
const { inventory } = contentsOf({ inventory: ours, found: [], planned: [] } as never)
const digest = 'd'.repeat(64)
const file = limitsFile({ ...sample(), inventory }, digest)
const of = (id: string) => file.clauses.find((one) => one.id === id)!

test('a limit has its number, and the line that was drawn', () => {
  expect(of('limits.request.url-length')).toMatchObject({
    documented: '16 KB',
    number: { value: 16, unit: 'KB', readings: [16_000, 16_384], counts: 'KB' },
    verified: { verdict: 'pass', accepted: 16_384, refused: 16_385, scenarios: ['edge/url-length'] }
  })
  expect(of('limits.runtime.requests.per-minute.free')).toMatchObject({
    number: { value: 1_000, counts: 'requests', per: 'minute' },
    verified: { verdict: 'untested', scenarios: [] }
  })
  expect(of('logpush.filter.limit.operators').number).toMatchObject({ value: 30, readings: [30] })
  expect(of('envelope.result-present').number).toBeUndefined()
  expect(limitsOf(file).length).toBe(57)
})

/** What is said of one clause where these verdicts are about it. */
function saidOf(verdicts: VerdictRecord[]) {
  const clause = 'limits.request.url-length'
  const moved = verdicts.map((one) => ({ ...one, clause }))
  const { clauses } = limitsFile({ ...sample(), inventory, verdicts: moved }, digest)
  return clauses.find(({ id }) => id === clause)!.verified
}

test('of several scenarios the worst verdict stands', () => {
  const { verdicts } = sample()
  expect(saidOf(verdicts).scenarios).toEqual(verdicts.map(({ scenario }) => scenario))
  expect(saidOf(verdicts).verdict).toBe('fail')
  expect(saidOf(verdicts.filter(({ outcome }) => outcome === 'pass')).verdict).toBe('pass')
})

test('where a variant drew no line there is none', () => {
  const isLineless = ({ evidence }: VerdictRecord) =>
    evidence.kind === 'boundary' &&
    evidence.boundaries.some(({ boundary }) => boundary.kind !== 'found')
  const lineless = sample().verdicts.filter(isLineless)
  expect(lineless.length).toBeGreaterThan(0)
  for (const one of lineless) {
    const said = saidOf([one])
    expect(said).not.toHaveProperty('accepted')
    expect(said).not.toHaveProperty('refused')
  }
})

test('read back, it gives the same clauses', () => {
  const read = parseLimits(JSON.stringify(file), 'limits.json')
  const again = parseInventory(JSON.stringify(clausesOf(read)), 'clauses.json')
  const told = ({ id, kind, derived, plan, restates, notes, quote, ...clause }: Clause) => {
    const { presupposes, section, lines } = clause
    const readings = documentedReadings({ ...clause, id, kind, notes, presupposes, section, lines })
    return {
      id,
      kind,
      derived,
      plan,
      restates,
      notes,
      quote,
      presupposes,
      section,
      lines,
      readings
    }
  }
  expect([...again.values()].map(told)).toEqual([...ours.values()].map(told))
})

test.each<[object, RegExp]>([
  [{ schema: 'plimsoll-limits/2' }, /^f: schema: /],
  [{ clauses: [{ id: 'a' }] }, /^f: clauses\.0\.kind: /],
  [{ verified: { ...file.verified, at: 'yesterday' } }, /^f: verified\.at: /]
])('a file that is none is refused: %j', (change, message) => {
  expect(() => parseLimits(JSON.stringify({ ...file, ...change }), 'f')).toThrow(message)
})

test('a rate is published once it was shown to hold, and what is left out is told', () => {
  expect(ratesOf(file)).toEqual([])
  const rated = 'limits.runtime.requests.per-minute.free'
  const clauses = file.clauses.map((one) =>
    one.id === rated ? { ...one, verified: { ...one.verified, verdict: 'pass' as const } } : one
  )
  const held = { ...file, clauses }
  expect(ratesOf(held).map(({ id }) => id)).toEqual([rated])
  expect(requestRatesOf(held)).toEqual(ratesOf(held))
  expect(leftOut(held, ratesOf(held))).toEqual([
    '1 × rate that was not shown to hold',
    '55 × limit that is no rate',
    '380 × clause that is no number',
    'evidence, quotations and where they stand'
  ])
})

test.each<[Partial<Record<Outcome, number>>, boolean, string]>([
  [{ pass: 1_333, observed: 71, untested: 2 }, true, '1,333 hold'],
  [{ pass: 333, fail: 1, warning: 1, blocked: 9 }, true, '2 fail'],
  [{ pass: 333, inconclusive: 1, blocked: 2 }, true, '3 undecided'],
  [{ pass: 333 }, false, 'incomplete'],
  [{ fail: 3 }, false, '3 fail'],
  [{}, true, '0 hold']
])('a badge of %j says %s', (counts, complete, text) => {
  const drawn = badge({ ...file, verified: { ...file.verified, counts, complete } })
  expect(drawn).toContain(`limits: ${text}, `)
  expect(drawn.match(/<text/g)).toHaveLength(2)
})
