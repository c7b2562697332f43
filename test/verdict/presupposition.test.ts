import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Outcome, outcomes } from '../../src/verdict/outcome.ts'
import { inLight } from '../../src/verdict/presupposition.ts'
import { concluded } from './verdicts.ts'

const of = (clause: string, outcome: Outcome, ...presupposes: string[]) =>
  concluded({ clause, outcome, presupposes })
const outcomesOf = (...verdicts: ReturnType<typeof of>[]) =>
  inLight(verdicts).map(({ outcome }) => outcome)

test.each<[limit: Outcome, own: Outcome, becomes: Outcome]>([
  ['pass', 'pass', 'pass'],
  ['pass', 'fail', 'fail'],
  ['pass', 'inconclusive', 'inconclusive'],
  ['fail', 'pass', 'inapplicable'],
  ['fail', 'fail', 'inapplicable'],
  ['fail', 'inconclusive', 'inapplicable'],
  ['fail', 'deviation', 'inapplicable'],
  ['deviation', 'pass', 'inapplicable'],
  ['inconclusive', 'pass', 'inapplicable'],
  ['error', 'pass', 'inapplicable'],
  ['blocked', 'pass', 'inapplicable'],
  ['blocked', 'fail', 'inapplicable'],
  ['fail', 'error', 'error'],
  ['fail', 'blocked', 'blocked'],
  ['fail', 'observed', 'observed']
])('where the limit is %s, what is %s is %s', (limit, own, becomes) => {
  expect(outcomesOf(of('queued', own, 'limit'), of('limit', limit))).toEqual([becomes, limit])
})

test('it says what was not shown', () => {
  const [verdict] = inLight([of('queued', 'pass', 'limit'), of('limit', 'fail')])
  expect(verdict!.because).toBe('it presupposes limit, which was not shown (fail)')
  const [alone] = inLight([of('queued', 'pass', 'limit')])
  const because = 'it presupposes limit, which was not asked'
  expect(alone).toMatchObject({ outcome: 'inapplicable', because })
})

test('of several it presupposes one must be shown, and each that could be asked', () => {
  const queued = of('queued', 'pass', 'free', 'paid')
  const judged = (free: Outcome, paid: Outcome) =>
    outcomesOf(queued, of('free', free), of('paid', paid))[0]
  expect(judged('pass', 'pass')).toBe('pass')
  expect(judged('blocked', 'pass')).toBe('pass')
  expect(judged('pass', 'fail')).toBe('inapplicable')
  expect(judged('blocked', 'blocked')).toBe('inapplicable')
})

test('a limit that one scenario shows and another one does not is not shown', () => {
  const all = [of('queued', 'pass', 'limit'), of('limit', 'pass'), of('limit', 'inconclusive')]
  expect(outcomesOf(...all)[0]).toBe('inapplicable')
})

test('a scenario that judges both is held to what it saw itself', () => {
  const own = (outcome: Outcome, scenario: string) => [
    concluded({ scenario, clause: 'limit', outcome }),
    concluded({ scenario, clause: 'queued', outcome: 'pass', presupposes: ['limit'] })
  ]
  const all = [...own('pass', 'quick'), ...own('fail', 'full')]
  expect(outcomesOf(...all)).toEqual(['pass', 'pass', 'fail', 'inapplicable'])
})

test('what follows from what does not follow does not follow', () => {
  const frees = of('frees', 'pass', 'holds')
  const holds = of('holds', 'pass', 'limit')
  expect(outcomesOf(frees, holds, of('limit', 'fail'))).toEqual([
    ...['inapplicable', 'inapplicable', 'fail']
  ])
  expect(outcomesOf(frees, holds, of('limit', 'pass'))).toEqual(['pass', 'pass', 'pass'])
})

test('clauses of a damaged file that presuppose each other are not shown', () => {
  expect(outcomesOf(of('a', 'pass', 'b'), of('b', 'pass', 'a'), of('c', 'pass', 'c'))).toEqual([
    ...['inapplicable', 'inapplicable', 'inapplicable']
  ])
})

test('a file of many verdicts is neither too deep nor too slow, as a chain or as a star', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => index)
  const all = (verdicts: ReturnType<typeof of>[]) =>
    new Set(inLight(verdicts).map(({ outcome }) => outcome))
  const chain = many.map((index) => of(`c${index}`, 'pass', `c${index + 1}`))
  expect(all(chain)).toEqual(new Set(['inapplicable']))
  expect(all([...chain, of(`c${many.length}`, 'pass')])).toEqual(new Set(['pass']))
  const star = many.map((index) => of(`c${index}`, 'pass', 'limit'))
  expect(all([...star, of('limit', 'pass')])).toEqual(new Set(['pass']))
})

const ids = ['a', 'b', 'c', 'd']
const runOf = (outcome: fc.Arbitrary<Outcome>) =>
  fc.array(fc.record({ clause: fc.constantFrom(...ids), outcome, presupposes: fc.subarray(ids) }), {
    maxLength: 8
  })

test('nothing becomes better, and judged again it comes to the same', () => {
  fc.assert(
    fc.property(runOf(fc.constantFrom(...outcomes)), (parts) => {
      const given = parts.map((part) => concluded(part))
      const final = inLight(given)
      expect(inLight(final)).toEqual(final)
      for (const [index, { outcome }] of final.entries()) {
        if (outcome !== given[index]!.outcome) expect(outcome).toBe('inapplicable')
      }
    })
  )
})

test('where everything passes, and nothing is missing or in a circle, everything stays', () => {
  fc.assert(
    fc.property(runOf(fc.constant('pass')), (parts) => {
      const asked = new Set(parts.map(({ clause }) => clause))
      const given = parts.map(({ clause, outcome, presupposes }) => {
        const before = presupposes.filter((id) => id > clause && asked.has(id))
        return concluded({ clause, outcome, presupposes: before })
      })
      expect(inLight(given)).toEqual(given)
    })
  )
})
