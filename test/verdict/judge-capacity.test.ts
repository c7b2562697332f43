import { expect, test } from 'vitest'
import type { Capacity } from '../../src/verdict/capacity.ts'
import { demandText, judgeCapacity } from '../../src/verdict/judge-capacity.ts'

const demand = { perSecond: 100, p99Ms: 50, errorRatio: 0.001 }

/** Trials in which the generator waited for a processor for a third of the time. */
const starved = Array(5).fill({ rate: 90, waitShare: 0.3 })

test.each<[string, Partial<Capacity>, string, RegExp]>([
  ['a rate above it is confirmed', { confirmed: 120, interval: [118, 124] }, 'pass', /is held/],
  ['just the rate is confirmed', { confirmed: 100 }, 'pass', /100\/s with p99 within 50 ms/],
  ['less was confirmed', { confirmed: 99, interval: [101, 104] }, 'pass', /is held/],
  ['nothing was confirmed', { interval: [101, 104] }, 'inconclusive', /no longer run held any/],
  ['all was held as far as it was sent', { confirmed: 400, ended: 'highest' }, 'pass', /is held/],
  [
    'the capacity is surely lower',
    { confirmed: 80, interval: [78, 83], binding: 'errors' },
    'fail',
    /less than 100\/s, bound by errors/
  ],
  ['nothing is held', { ended: 'lowest' }, 'fail', /lowest/],
  [
    'it is lower, as seen by a machine short of processors',
    { interval: [78, 83], binding: 'latency', trials: starved },
    'inconclusive',
    /short of processors.*may hold more/
  ],
  [
    'it fails, whoever asks',
    { interval: [78, 83], binding: 'errors', trials: starved },
    'fail',
    /bound by errors/
  ],
  ['the generator gave out below', { ended: 'generator', lower: 60 }, 'error', /generator/],
  ['the interval reaches across', { confirmed: 96, interval: [95, 103] }, 'inconclusive', /across/],
  [
    'it changed, whatever was confirmed',
    { confirmed: 120, interval: [90, 124], unsteady: { kind: 'changed', because: 'changed' } },
    'inconclusive',
    /changed/
  ],
  [
    'a machine short of processors saw it change, and all of it above',
    { confirmed: 120, interval: [110, 124], unsteady: { kind: 'machine', because: 'short' } },
    'pass',
    /is held/
  ],
  [
    'a machine short of processors saw it change across it',
    { confirmed: 120, interval: [90, 124], unsteady: { kind: 'machine', because: 'short' } },
    'inconclusive',
    /short/
  ],
  [
    'it is held, and its errors are not shown',
    { confirmed: 120, interval: [118, 124], undecided: '0 of 90 requests failed' },
    'inconclusive',
    /0 of 90/
  ],
  ['the time was up', { ended: 'time', lower: 60 }, 'inconclusive', /time was up/]
])('%s', (_, found, outcome, because) => {
  const whole: Capacity = { degradation: [], ended: 'found', trials: [], ...found }
  const judged = judgeCapacity(demand, whole)
  expect(judged.outcome).toBe(outcome)
  expect(judged.because).toMatch(because)
})

test('what was seen is told by what is surest', () => {
  const seen = (found: Partial<Capacity>) =>
    judgeCapacity(demand, { degradation: [], ended: 'found', trials: [], ...found }).observed
  expect(seen({ confirmed: 96, interval: [95, 103], lower: 96 })).toBe(
    '96/s confirmed, surely within 95/s … 103/s'
  )
  expect(seen({ lower: 60, upper: 61 })).toBe('held at 60/s, missed at 61/s')
  expect(seen({})).toBe('no rate was held')
  expect(demandText(demand)).toBe('100/s with p99 within 50 ms, errors at most 0.1 %')
})
