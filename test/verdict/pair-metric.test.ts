import { expect, test } from 'vitest'
import { differences, overall, type PairMetric, ratioOf } from '../../src/verdict/pair-metric.ts'
import { pairWith, trialOfUs } from './pairs.ts'

test.each(['p50', 'p90', 'p99', 'throughput'] as PairMetric[])(
  'a slower B differs upwards in %s',
  (metric) => {
    expect(differences([[pairWith(0.2)]], metric)[0]).toBeCloseTo(0.2)
  }
)

test('a block counts once, by the centre of its pairs', () => {
  const block = [0.1, 0.2, 0.3, 0.25, 9].map((difference) => pairWith(difference))
  const [centre, ...more] = differences([block], 'p50')
  expect(centre).toBeCloseTo(0.25, 1)
  expect(more).toEqual([])
})

test('blocks without a reading on either side are left out', () => {
  const blank = { a: trialOfUs(null), b: trialOfUs(1_000) }
  expect(differences([[blank], [pairWith(0)]], 'p50')).toEqual([0])
  expect(differences([[pairWith(0)]], 'cpu')).toEqual([])
})

test.each([
  ['p50', 1.1],
  ['throughput', 1 / 1.1]
] as const)('a difference as a ratio of %s', (metric, ratio) => {
  expect(ratioOf(Math.log(1.1), metric)).toBeCloseTo(ratio)
})

test('trials in which nothing came back have no part in a mean', () => {
  const slow = trialOfUs(1_000, { meanUs: 2_000 })
  expect(overall([slow, trialOfUs(null), slow], 'mean')).toBe(2_000)
})
