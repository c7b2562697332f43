import { expect, test } from 'vitest'
import {
  boundsSeconds,
  createLoadMeters,
  type LoadSeries,
  mostSeries
} from '../../../src/cli/telemetry/load-meters.ts'
import type { Destination } from '../../../src/engine/load-worker.ts'
import { createSample } from '../../../src/load/figures/sample.ts'
import {
  createLiveCounters,
  createLiveMemory,
  readLive
} from '../../../src/load/health/live-counters.ts'

const destination = (...urls: string[]) =>
  ({ source: { requests: urls.map((url) => ({ url })) } }) as Destination

const over = (results: Record<string, number>, valid = true) =>
  ({ tally: { results }, health: { valid } }) as never

/** Tells of a load whose answers took so many milliseconds, after each of which it is looked at. */
function loaded(meters: ReturnType<typeof createLoadMeters>, to: Destination, tookMs: number[]) {
  const memory = createLiveMemory()
  const live = createLiveCounters(memory)
  const load = meters.observe(to)
  load.see(readLive([memory], 0))
  for (const end of tookMs) {
    live.begin()
    live.record({ ...createSample(), status: 200, end }, true)
    load.see(readLive([memory], 0))
  }
  return { live, load, look: () => load.see(readLive([memory], 0)) }
}

const countOf = ({ buckets }: LoadSeries) => buckets.reduce((total, one) => total + one, 0)

test('each answer is in the bucket of the time that it took, once', () => {
  const meters = createLoadMeters()
  loaded(meters, destination('http://a.test/'), [0.3, 4, 4, 700, 60_000])
  const [series] = meters.all()
  const filled = series!.buckets.flatMap((count, index) => {
    return count > 0 ? [[boundsSeconds[index], count]] : []
  })
  expect(filled).toEqual([
    [0.0005, 1],
    [0.005, 2],
    [0.75, 1],
    [undefined, 1]
  ])
  expect(series!.seconds).toBeGreaterThan(60.7 * 0.98)
  expect(series!.seconds).toBeLessThan(60.72 * 1.02)
})

test('loads on one place are added up, and what is under way is of those that go on', () => {
  const meters = createLoadMeters()
  const [one, two] = ['http://a.test/x', 'http://a.test/y'].map((url) =>
    loaded(meters, destination(url), [1])
  )
  for (const { live, look } of [one!, two!]) {
    live.begin()
    live.drop()
    look()
  }
  one!.load.end(over({ 200: 1, timeout: 1 }, false))
  const [series, ...rest] = meters.all()
  expect(rest).toEqual([])
  expect([...series!.inFlight.values()]).toEqual([1])
  expect(series).toMatchObject({ dropped: 2, loads: { valid: 0, invalid: 1 } })
  expect(Object.fromEntries(series!.results)).toEqual({ 200: 1, timeout: 1 })
})

test('what is told of a place holds no path, no query and no password', () => {
  const meters = createLoadMeters()
  meters.observe(destination('https://me:secret@a.test/path?token=1'))
  meters.observe(destination('http://a.test:81/', 'http://b.test/'))
  expect(meters.all().map(({ labels }) => labels)).toEqual([
    {
      'http.request.method': 'GET',
      'server.address': 'a.test',
      'server.port': 443,
      'url.scheme': 'https'
    },
    { 'http.request.method': 'GET', 'server.address': '_OTHER' }
  ])
})

test('a method that nobody knows makes no series', () => {
  const meters = createLoadMeters()
  for (let count = 0; count < 1_000; count++) {
    const requests = [{ url: 'http://a.test/', method: `X${count}` }]
    meters.observe({ source: { requests } } as Destination)
  }
  expect(meters.all().map(({ labels }) => labels['http.request.method'])).toEqual(['_OTHER'])
})

test('however many places and statuses there are, series are few and nothing is lost', () => {
  const meters = createLoadMeters()
  const places = mostSeries + 20
  for (let place = 0; place < places; place++) {
    const { load } = loaded(meters, destination(`http://h${place}.test/`), [1])
    load.end(over(Object.fromEntries(Array.from({ length: 200 }, (_, n) => [200 + n, 1]))))
  }
  const all = meters.all()
  expect(all).toHaveLength(mostSeries)
  expect(all.at(-1)!.labels).toEqual({ 'otel.metric.overflow': true })
  expect(all.reduce((total, one) => total + countOf(one), 0)).toBe(places)
  expect(Math.max(...all.map(({ results }) => results.size))).toBe(21)
  const results = all.flatMap((one) => [...one.results.values()])
  expect(results.reduce((total, one) => total + one, 0)).toBe(200 * places)
})
