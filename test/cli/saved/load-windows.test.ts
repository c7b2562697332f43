import { expect, test } from 'vitest'
import { createWindowSeries } from '../../../src/cli/saved/load-windows.ts'
import type { Window } from '../../../src/load/health/live-counters.ts'

function look(place: number, p99Us: number | null = 9): Window {
  return {
    ...{ fromMs: 250 * place, toMs: 250 * (place + 1), begun: 9, finished: 8, measured: 8 },
    ...{ failed: 1, dropped: 2, arrived: 3, inFlight: place, countAboveUs: () => 0 },
    percentileUs: (percent) => (p99Us === null || percent === 99 ? p99Us : 5)
  }
}

test('a short load is kept look by look', () => {
  const series = createWindowSeries(1_000)
  for (const place of [0, 1, 2, 3]) series.add(look(place))
  expect(series.records('a')).toHaveLength(4)
  expect(series.records('a')[1]).toEqual({
    ...{ t: 'window', scenario: 'a', fromMs: 250, toMs: 500, finished: 8, measured: 8 },
    ...{ failed: 1, dropped: 2, inFlight: 1, p50Us: 5, p99Us: 9 }
  })
})

test('a long one is kept in longer stretches: counts add up, and the worst tail stays', () => {
  const series = createWindowSeries(600_000)
  series.add(look(0, 40))
  series.add(look(1, null))
  series.add(look(2, 7))
  expect(series.records('a')).toMatchObject([
    { fromMs: 0, toMs: 500, finished: 16, dropped: 4, inFlight: 1, p50Us: 5, p99Us: 40 },
    { fromMs: 500, toMs: 750, finished: 8, p99Us: 7 }
  ])
})

test('one without an end keeps no more than so many, and the whole of it', () => {
  const series = createWindowSeries(Number.POSITIVE_INFINITY)
  for (let place = 0; place < 20_000; place++) series.add(look(place))
  const records = series.records('a')
  expect(records.length).toBeLessThan(2_500)
  expect(records.at(-1)!.toMs).toBe(20_000 * 250)
  expect(records.reduce((sum, { finished }) => sum + finished, 0)).toBe(20_000 * 8)
})
