import { expect, test } from 'vitest'
import { createHistogram } from '../../src/load/figures/histogram.ts'
import { driftMetric, measuredIn, series } from '../../src/verdict/drift-metric.ts'
import type { Stretch } from '../../src/verdict/stretch.ts'

function response(ms: number) {
  const histogram = createHistogram()
  for (let n = 0; n < 10; n++) histogram.record(ms)
  const found = histogram.distribution()
  return found
}

const answered: Stretch = {
  ...{ seconds: 1_800, voidSeconds: 0, process: 'one', floors: { rss: 5e6, queue: 3 } },
  load: { seconds: 10, requests: 200, failures: 50, response: response(2), cpuUs: 4_000 }
}
const { load: _, ...silent } = { ...answered, floors: { rss: 6e6 } }

test.each([
  ['p50', 2_000, 'µs'],
  ['p99', 2_000, 'µs'],
  ['errors', 0.25, 'of requests'],
  ['throughput', 15, 'requests/s'],
  ['cpu', 20, 'µs/request'],
  ['rss', 5e6, 'bytes'],
  ['queue', 3, 'units']
])('%s is read as %d %s', (name, value, unit) => {
  const metric = driftMetric(name)
  expect(metric.of(answered)! / value).toBeCloseTo(1, 2)
  expect(metric.unit).toBe(unit)
})

test('a name that every object has is a figure like any other', () => {
  expect(driftMetric('constructor')).toMatchObject({ isFigure: true, gates: true })
  expect(series([answered], 'constructor')).toEqual([])
})

test('a stretch without answers has figures only, and its time passes', () => {
  expect(series([silent, answered], 'errors')).toEqual([{ time: 1, value: 0.25 }])
  expect(series([silent, answered], 'rss').map(({ time }) => time)).toEqual([0.5, 1])
  expect(measuredIn([silent])).toEqual(['rss'])
  expect(measuredIn([silent, answered]).sort()).toEqual([
    ...['cpu', 'errors', 'p50', 'p99', 'queue', 'rss', 'throughput']
  ])
})

test('figures begin with the process that is there now, answers do not', () => {
  const replaced = [answered, { ...answered, process: 'two' }]
  expect(series(replaced, 'rss')).toHaveLength(1)
  expect(series(replaced, 'p50')).toHaveLength(2)
})

test('a process that is gone leaves its figures as they were', () => {
  const { process: __, ...gone } = { ...answered, floors: {} }
  expect(series([answered, answered, gone], 'rss')).toHaveLength(2)
})
