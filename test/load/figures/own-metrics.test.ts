import { expect, test } from 'vitest'
import {
  createOwnMetrics,
  mergeOwn,
  type OwnMetrics,
  ownFigures,
  statisticNames
} from '../../../src/load/figures/own-metrics.ts'

const declared: OwnMetrics = {
  placed: { kind: 'counter', unit: 'orders' },
  queue: { kind: 'gauge', unit: 'orders' },
  wait: { kind: 'distribution', unit: 's' }
}

/** What a worker that recorded these brings home, as it comes from another machine. */
function tallyOf(records: readonly [string, number][]) {
  const own = createOwnMetrics(declared)
  for (const [name, value] of records) own.record(name, value)
  const tally = own.tally()
  return JSON.parse(JSON.stringify(tally)) as typeof tally
}

test('workers together have recorded what one would have, whichever comes first', () => {
  const records = Array.from({ length: 300 }, (_, n): [string, number][] => [
    ['placed', 2],
    ['queue', -n],
    ['wait', n / 1_000]
  ]).flat()
  const parts = [tallyOf(records.slice(0, 100)), tallyOf([]), tallyOf(records.slice(100))]
  const whole = ownFigures(tallyOf(records), 10_000)
  expect(whole).toMatchObject({
    placed: { value: 600, unit: 'orders' },
    'placed per second': { value: 60, unit: 'orders/s' },
    'queue min': { value: -299, unit: 'orders' },
    'queue max': { value: 0 },
    'wait max': { value: 0.299, unit: 's' }
  })
  expect(whole['wait p50']!.value).toBeCloseTo(0.149, 2)
  expect(ownFigures(mergeOwn(parts), 10_000)).toEqual(whole)
  expect(ownFigures(mergeOwn(parts.toReversed()), 10_000)).toEqual(whole)
  expect(Object.keys(whole)).toEqual(statisticNames(declared))
})

test('of what was never recorded there is nothing to say, but that nothing was counted', () => {
  expect(ownFigures(tallyOf([]), 1_000)).toEqual({
    placed: { value: 0, unit: 'orders' },
    'placed per second': { value: 0, unit: 'orders/s' }
  })
})

test.each([
  ['paid', 1, /"paid" is no metric of this scenario, which has placed, queue, wait/],
  ['constructor', 1, /is no metric/],
  ['placed', -1, /a counter, cannot be -1/],
  ['queue', Number.NaN, /a gauge, cannot be NaN/],
  ['wait', 1e9, /a distribution, cannot be 1000000000/]
])('%s is not given %d', (name, value, because) => {
  expect(() => tallyOf([[name, value]])).toThrow(because)
})
