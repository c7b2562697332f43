import { expect, test } from 'vitest'
import { askedGates, gatesOf } from '../../../src/cli/flags/compare-flags.ts'

test('several metrics gate, each with a budget of its own or that of all', () => {
  const metric = askedGates('p50,p99=15, rss')
  expect(metric).toEqual([{ metric: 'p50' }, { metric: 'p99', budget: 15 }, { metric: 'rss' }])
  const { also, ...first } = gatesOf({ metric, budget: 5 })
  expect(first.metric).toBe('p50')
  expect(first.margins.budget).toBeCloseTo(Math.log(1.05))
  expect(also.map(({ metric }) => metric)).toEqual(['p99', 'rss'])
  expect(also.map(({ margins }) => Math.expm1(margins.budget))).toEqual([
    expect.closeTo(0.15),
    expect.closeTo(0.05)
  ])
})

test.each(['p51', '', 'p50,', 'p50=', 'p50=0', 'p50=x', 'p50,p50=3'])('%j is no gate', (text) => {
  expect(() => askedGates(text)).toThrow(/--metric/)
})
