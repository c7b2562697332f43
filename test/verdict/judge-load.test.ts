import { expect, test } from 'vitest'
import { createHistogram } from '../../src/load/figures/histogram.ts'
import type { Tally } from '../../src/load/figures/metrics.ts'
import type { LoadSummary } from '../../src/load/figures/summary.ts'
import {
  judgeLoad,
  type Objectives,
  objectivesText,
  slowerThan
} from '../../src/verdict/judge-load.ts'

const percentiles = {
  p50: 1_000,
  p90: 2_000,
  p95: 5_000,
  p99: 20_000,
  p999: 30_000,
  max: 40_000,
  mean: 1_500
}
const summary = {
  requests: 1_000,
  rps: 99.6,
  errors: { '5xx': 1 },
  timeouts: 1,
  dropped: 0,
  statuses: { 200: 998, 500: 1 },
  response: percentiles,
  generator: { valid: true, reasons: [], offered: 1_000 }
} as unknown as LoadSummary

test.each<[Objectives, string, RegExp]>([
  [{ p99Ms: 20 }, 'pass', /every objective is met: p99 within 20 ms/],
  [{ p99Ms: 19.999 }, 'fail', /missed: p99 20 ms/],
  [{ p50Ms: 1, p90Ms: 2, p99Ms: 20, maxMs: 40 }, 'pass', /max within 40 ms/],
  [{ p999Ms: 30 }, 'inconclusive', /1000 requests cannot tell a p999: that takes 4603/],
  [{ p999Ms: 29 }, 'fail', /missed: p999 30 ms/],
  [{ maxMs: 39 }, 'fail', /max 40 ms/],
  [{ errorRatio: 0.002 }, 'pass', /errors at most 0\.2 %/],
  [{ errorRatio: 0.0019 }, 'fail', /0\.2 % errors/],
  [{ droppedRatio: 0 }, 'pass', /dropped at most 0 %/],
  [{ perSecond: 99 }, 'pass', /at least 99 responses a second/],
  [{ p95Ms: 5 }, 'pass', /every objective is met: p95 within 5 ms/],
  [{ p95Ms: 4.999 }, 'fail', /missed: p95 5 ms/],
  // What is shown must not look like what was demanded.
  [{ perSecond: 100 }, 'fail', /missed: 99\.6 responses a second/],
  [{ perSecond: 200 }, 'fail', /missed: 100 responses a second/],
  [{}, 'observed', /no objective was set/]
])('%j: %s', (objectives, outcome, because) => {
  expect(judgeLoad(objectives, summary, { broken: [] })).toMatchObject({
    outcome,
    because: expect.stringMatching(because)
  })
})

test.each([
  [{ 200: 800, 302: 198 }, 'inconclusive', /^19\.8 % of the answers lead elsewhere \(302\), /],
  [{ 302: 998, 307: 1 }, 'inconclusive', /^100 % of the answers lead elsewhere \(302, 307\)/],
  [{ 200: 900, 302: 98 }, 'pass', /every objective/],
  [{ 304: 998 }, 'pass', /every objective/]
])('what leads elsewhere is no evidence of what is there, %j: %s', (statuses, outcome, because) => {
  const objectives = { p99Ms: 20, redirectRatio: 0.1 }
  const all = { ...summary, statuses } as LoadSummary
  expect(judgeLoad(objectives, all, { broken: [] })).toMatchObject({
    outcome,
    because: expect.stringMatching(because)
  })
  // Who has a redirect to offer says so.
  const meant = { ...objectives, redirectRatio: 1 }
  expect(judgeLoad(meant, all, { broken: [] }).outcome).toBe('pass')
})

test.each([
  [{ p99Ms: 1 }, 'pass', /every objective/],
  [
    { p99Ms: 3 },
    'inconclusive',
    /1000 requests, of which 3 were slower, cannot tell a p99: that takes 1001/
  ],
  [{ p50Ms: 462 }, 'pass', /every objective/],
  [{ p50Ms: 464 }, 'inconclusive', /cannot tell a p50: that takes 1003/]
])('slower ones %j of 1,000: %s', (slower, outcome, because) => {
  const objectives = { p50Ms: 1, p99Ms: 20 }
  expect(judgeLoad(objectives, summary, { broken: [], slower })).toMatchObject({
    outcome,
    because: expect.stringMatching(because)
  })
})

test('slower responses are counted for each percentile that has an objective', () => {
  const histogram = createHistogram()
  for (let ms = 1; ms <= 100; ms++) histogram.record(ms)
  const tally = { response: histogram.distribution() } as Tally
  const objectives = { p50Ms: 60.5, p99Ms: 99.5, maxMs: 3, perSecond: 5 }
  expect(slowerThan(objectives, { tally })).toEqual({ p50Ms: 40, p99Ms: 1 })
})

test.each([
  [{ 'wait p99': 0, 'wait count': 459 }, 'pass', /every objective/],
  [{ 'wait p99': 0, 'wait count': 458 }, 'inconclusive', /^458 values of wait cannot tell its p99/],
  [
    { 'wait p99': 3, 'wait count': 1_000 },
    'inconclusive',
    /1000 values of wait, of which 3 were higher, cannot tell its p99: that takes 1001/
  ],
  // What was kept by those who did not count says no more than it did.
  [{}, 'pass', /every objective/]
])('values of a metric %j: %s', (slower, outcome, because) => {
  const objectives = { metrics: { 'wait p99': { atMost: 20 } } }
  const measured = { ...summary, own: { 'wait p99': { value: 19, unit: 'ms' } } }
  expect(judgeLoad(objectives, measured, { broken: [], slower })).toMatchObject({
    outcome,
    because: expect.stringMatching(because)
  })
})

test('higher values are counted for each percentile of a metric that has a ceiling', () => {
  const histogram = createHistogram()
  for (let ms = 1; ms <= 100; ms++) histogram.record(ms)
  const values = histogram.distribution()
  const wait = { kind: 'distribution', unit: 'ms', count: 100, sum: 0, min: 1, max: 100, values }
  const tally = { response: values, own: { wait } } as unknown as Tally
  const metrics = {
    'wait p90': { atMost: 89.5 },
    'wait p50': { atLeast: 3 },
    'wait max': { atMost: 3 },
    'none p99': { atMost: 1 }
  }
  expect(slowerThan({ metrics }, { tally })).toEqual({ 'wait p90': 11, 'wait count': 100 })
})

test('dropped arrivals count against those that were due', () => {
  const generator = { ...summary.generator, offered: 1_250 }
  const dropping = { ...summary, dropped: 250, generator }
  expect(judgeLoad({ droppedRatio: 0.2 }, dropping, { broken: [] }).outcome).toBe('pass')
  expect(judgeLoad({ droppedRatio: 0.19 }, dropping, { broken: [] }).outcome).toBe('fail')
  // However many requests each of the others asked for.
  const many = { ...dropping, requests: 10_000 }
  expect(judgeLoad({ droppedRatio: 0.19 }, many, { broken: [] })).toMatchObject({
    outcome: 'fail',
    observed: expect.stringContaining('20 % dropped')
  })
})

test.each([0.1, 0.3, 0.7, 1.1, 2.3])('%d %% of errors are at most so many percent', (percent) => {
  const exactly = { ...summary, errors: { '5xx': percent * 10 }, timeouts: 0 }
  const objectives = { errorRatio: percent / 100 }
  expect(judgeLoad(objectives, exactly, { broken: [] }).outcome).toBe('pass')
  const more = { ...exactly, timeouts: 1 }
  expect(judgeLoad(objectives, more, { broken: [] }).outcome).toBe('fail')
})

test('a share that is barely missed does not look like the one that was met', () => {
  const barely = { ...summary, requests: 10_659, errors: { '5xx': 2_132 }, timeouts: 0 }
  expect(judgeLoad({ errorRatio: 0.2 }, barely, { broken: [] }).because).toBe(
    'missed: 20.0019 % errors'
  )
})

test('a percentile that an older version did not tell is not judged', () => {
  const { p95: _, ...response } = percentiles
  const older = { ...summary, response } as LoadSummary
  expect(judgeLoad({ p95Ms: 1 }, older, { broken: [] })).toMatchObject({
    outcome: 'inconclusive',
    because: 'its p95 is not told'
  })
})

test('when the generator was the bottleneck, nothing is said of the target', () => {
  const generator = { ...summary.generator, valid: false, reasons: ['worker 0 was late'] }
  expect(judgeLoad({ maxMs: 1 }, { ...summary, generator }, { broken: [] })).toMatchObject({
    outcome: 'error',
    because: 'worker 0 was late'
  })
})

const missedP99 = 'given up after 1.0 s: 28 of 1000 responses took more than 10 ms (p99)'

test.each<[string, Objectives, object, string[], string, RegExp]>([
  [
    'arrivals were later than it was missed by',
    { p99Ms: 10 },
    { bounds: { p99: [9_000, 20_000] } },
    [missedP99],
    'inconclusive',
    /arrivals were so late/
  ],
  [
    'they were not',
    { p99Ms: 10 },
    { bounds: { p99: [11_000, 20_000] } },
    [missedP99],
    'fail',
    /28/
  ],
  ['it had no processor', { p99Ms: 10 }, { waitShare: 0.3 }, [missedP99], 'error', /waited 30 %/],
  ['it had, mostly', { p99Ms: 10 }, { waitShare: 0.2 }, [missedP99], 'fail', /missed: p99 20 ms/],
  ['a rate was missed, too', { perSecond: 200 }, { waitShare: 0.3 }, [], 'error', /waited 30 %/],
  [
    'answers were errors, too',
    { p99Ms: 10, errorRatio: 0 },
    { waitShare: 0.9 },
    [missedP99],
    'fail',
    /0\.2 % errors/
  ],
  [
    'a stretch was missed alone',
    { errorRatio: 0.1 },
    {},
    ['from 1.0 s to 2.0 s: 9 of 20 responses took more than 1 ms (p50)'],
    'fail',
    /9 of 20/
  ],
  [
    'what did not come may never have been sent',
    { errorRatio: 0.001 },
    { waitShare: 0.3 },
    ['given up after 1.0 s: 2 of 1000 requests failed, 9 of 1000 arrivals were dropped'],
    'error',
    /0\.2 % errors.*waited 30 %/
  ],
  [
    'what did not come, where it had one',
    { errorRatio: 0.001 },
    { waitShare: 0.2 },
    [],
    'fail',
    /0\.2 % errors/
  ],
  ['it met them', { p99Ms: 20 }, { waitShare: 0.9 }, [], 'pass', /every objective/]
])('an open load whose generator %s', (...[, objectives, told, broken, outcome, because]) => {
  const generator = { ...summary.generator, ...told }
  expect(judgeLoad(objectives, { ...summary, generator }, { broken })).toMatchObject({
    outcome,
    because: expect.stringMatching(because)
  })
})

test('answers that say no are the target’s on any machine, and no other failures are', () => {
  const generator = { ...summary.generator, valid: false, reasons: ['worker 0 was late'] }
  const late = { ...summary, statuses: { 200: 500, 500: 499 }, generator } as LoadSummary
  const judged = (errorRatio: number) => judgeLoad({ errorRatio }, late, { broken: [] })
  expect(judged(0.4)).toMatchObject({ outcome: 'fail', because: expect.stringMatching(/49\.9 %/) })
  expect(judged(0.499)).toMatchObject({ outcome: 'error', because: 'worker 0 was late' })
})

test('a generator without a processor drops arrivals by itself', () => {
  const of = (waitShare: number) => {
    const generator = { ...summary.generator, waitShare }
    return judgeLoad({ droppedRatio: 0.1 }, { ...summary, dropped: 250, generator }, { broken: [] })
      .outcome
  }
  expect([of(0.3), of(0.2)]).toEqual(['error', 'fail'])
})

test('a stretch of answers that say no is the target’s however long the generator waited', () => {
  const generator = { ...summary.generator, waitShare: 0.9 }
  const broken = ['from 1.0 s to 2.0 s: 9 of 20 requests failed']
  const judged = (timeouts: number) =>
    judgeLoad({ errorRatio: 0.1 }, { ...summary, timeouts, generator }, { broken }).outcome
  expect([judged(0), judged(1)]).toEqual(['fail', 'error'])
})

test.each([
  ['was not offered', { requests: 0, statuses: {} }],
  ['was never answered', { requests: 10, statuses: {} }]
])('a load that %s neither passes nor fails', (_, part) => {
  const { outcome } = judgeLoad({ errorRatio: 0 }, { ...summary, ...part } as LoadSummary, {
    broken: []
  })
  expect(outcome).toBe('inconclusive')
})

test('what was broken on the way counts, though the whole keeps to its objectives', () => {
  const broken = ['from 1.0 s to 2.0 s: 9 of 20 requests failed']
  expect(judgeLoad({ errorRatio: 0.1 }, summary, { broken })).toMatchObject({
    outcome: 'fail',
    because: 'missed: from 1.0 s to 2.0 s: 9 of 20 requests failed'
  })
})

test('objectives read as a sentence', () => {
  const objectives = { p99Ms: 20, errorRatio: 0.001, droppedRatio: 0, perSecond: 500 }
  expect(objectivesText(objectives)).toBe(
    'p99 within 20 ms, errors at most 0.1 %, dropped at most 0 %, at least 500 responses a second'
  )
})

const own = { 'wait p99': { value: 12.5, unit: 'ms' }, placed: { value: 7, unit: 'orders' } }

test.each<[NonNullable<Objectives['metrics']>, string, RegExp]>([
  [{ 'wait p99': { atMost: 12.5 } }, 'pass', /is met: wait p99 at most 12\.5$/],
  [{ 'wait p99': { atMost: 12.4 } }, 'fail', /^missed: wait p99 12\.5 ms$/],
  [{ placed: { atLeast: 8, atMost: 9 } }, 'fail', /^missed: placed 7 orders$/],
  [{ placed: { atLeast: 7 } }, 'pass', /placed at least 7$/],
  [{ 'queue max': { atMost: 1 } }, 'inconclusive', /its queue max is not told/]
])('what a scenario records is held against %j', (metrics, outcome, because) => {
  const judged = judgeLoad({ metrics }, { ...summary, own }, { broken: [] })
  expect(judged.outcome).toBe(outcome)
  expect(judged.because).toMatch(because)
})
