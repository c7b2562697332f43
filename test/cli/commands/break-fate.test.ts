import { expect, test } from 'vitest'
import {
  breakLine,
  breaksExit,
  brokenBy,
  unbrokenOf,
  unshowable
} from '../../../src/cli/commands/break-fate.ts'
import type { Outcome } from '../../../src/verdict/outcome.ts'
import type { Verdict } from '../../../src/verdict/verdict.ts'

/** Verdicts of one scenario, by clause. */
const verdicts = (outcomes: Record<string, Outcome>, scenario = 'one'): Verdict[] =>
  Object.entries(outcomes).map(([clause, outcome]) => ({
    ...{ scenario, clause, outcome, documented: '', observed: '', because: 'so it was', ms: 0 },
    evidence: { kind: 'none', outcome: 'untested', because: '' }
  }))

const unbroken = unbrokenOf([
  ...verdicts({ a: 'pass', b: 'pass', c: 'inconclusive', d: 'observed' }),
  ...verdicts({ a: 'pass' }, 'other')
])

test('what holds unbroken is told from what does not, and what is only observed is neither', () => {
  expect([...unbroken.held]).toEqual([
    ['a', 2],
    ['b', 1]
  ])
  expect(unbroken.unheld).toMatchObject([{ clause: 'c' }])
  const c = { name: 'x', clause: 'c' }
  expect(unshowable(c, unbroken)).toBe('c does not hold unbroken, inconclusive: so it was')
  expect(unshowable({ name: 'x', clause: 'b' }, unbroken)).toBeUndefined()
  expect(unshowable({ name: 'x' }, unbroken)).toBeUndefined()
})

test.each([
  [undefined, 'killed', { a: 'fail', b: 'pass' }, 'fell: a'],
  [undefined, 'survived', { a: 'pass', b: 'pass' }, 'all still holds'],
  [undefined, 'inconclusive', { a: 'pass' }, 'not judged any more: b (it was not asked about)'],
  ['b', 'survived', { a: 'fail', b: 'pass' }, 'fell: a; b still holds'],
  [
    ...(['b', 'inconclusive', { a: 'fail', b: 'blocked' }] as const),
    'fell: a; not judged any more: b (blocked: so it was)'
  ],
  [
    ...(['b', 'survived', { a: 'blocked', b: 'pass' }] as const),
    'b still holds; not judged any more: a (blocked: so it was)'
  ]
] as const)('a break that names %s is %s of %j', (clause, state, outcomes, because) => {
  const found = [...verdicts(outcomes), ...verdicts({ a: 'pass' }, 'other')]
  const result = brokenBy({ name: 'x', clause }, unbroken, found)
  expect(result).toMatchObject({ state, because })
})

test('where one of two scenarios says nothing any more, a clause does not still hold', () => {
  const result = brokenBy({ name: 'x' }, unbroken, verdicts({ a: 'pass', b: 'pass' }))
  expect(result).toMatchObject({ state: 'inconclusive', fell: [] })
})

test('a break that survived decides the exit code before one of which nothing can be told', () => {
  const [killed, survived, inconclusive] = (['killed', 'survived', 'inconclusive'] as const).map(
    (state) => ({ name: 'x', state, fell: [], because: 'why\nand how' })
  )
  expect(breaksExit([killed!, inconclusive!, survived!])).toBe(1)
  expect(breaksExit([killed!, inconclusive!])).toBe(2)
  expect(breaksExit([killed!])).toBe(0)
  expect(breakLine(inconclusive!)).toBe('inconclusive  x\n    why\n    and how\n')
})
