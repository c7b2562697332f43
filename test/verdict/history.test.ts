import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { historyOf } from '../../src/verdict/history.ts'
import { normals } from '../statistics/noise.ts'
import { chain, entry } from './histories.ts'

test('levels are products along the chain, and a branch goes off from where it began', () => {
  const entries = [
    entry('a', 'b', 1.1),
    entry('b', 'c', 0.5),
    entry('b', 'branch', 2),
    entry('elsewhere', 'd', 3)
  ]
  const { points } = historyOf(entries, 'p50')
  expect(points.map(({ build, level }) => [build, Number(level.toFixed(6))])).toEqual([
    ['b', 1.1],
    ['c', 0.55],
    ['branch', 2.2],
    ['d', 3]
  ])
})

test('a build compared again is one build, at the mean of both', () => {
  const twice = [entry('a', 'b', 2), entry('a', 'b', 1.5), entry('b', 'c', 1)]
  const { points } = historyOf(twice, 'p50')
  expect(points.map(({ build }) => build)).toEqual(['b', 'c'])
  expect(points.at(-1)!.level).toBeCloseTo(Math.sqrt(3))
  // Runs that differ by more than they say widen it.
  const [low, high] = points[0]!.interval
  expect(low).toBeLessThan(1.5)
  expect(high).toBeGreaterThan(2)
  const alike = historyOf([entry('a', 'b', 1), entry('a', 'b', 1)], 'p50').points[0]!
  expect(Math.log(alike.interval[1])).toBeCloseTo((1.96 * 0.01) / Math.SQRT2, 6)
})

test('a step that many builds show against one baseline is one step', () => {
  const noise = normals(random(5))
  const entries = Array.from({ length: 20 }, (_, n) =>
    entry('base', `b${n}`, Math.exp((n < 10 ? 0 : 0.05) + 0.01 * noise()))
  )
  const { shifts } = historyOf(entries, 'p50')
  expect(shifts).toMatchObject([{ kind: 'step', way: 'worse', to: 'b10' }])
  expect(Math.log(shifts[0]!.ratio)).toBeCloseTo(0.05, 1)
})

test('the luck of processes is no shift, and does not hide what is more than that', () => {
  const luck = normals(random(3))
  const lucky = (step: number) => chain(50, (n) => 0.028 * luck() + (n === 25 ? step : 0))
  expect(historyOf(lucky(0), 'p50').shifts).toEqual([])
  expect(historyOf(lucky(0.25), 'p50').shifts).toMatchObject([{ kind: 'step', to: 'b25' }])
})

test('comparisons in which a metric was not measured are passed over', () => {
  expect(historyOf([entry('a', 'b', 2)], 'p99').points).toEqual([])
  expect(historyOf([], 'p50')).toEqual({ metric: 'p50', points: [], shifts: [] })
})

test('a step is found at the build that made it', () => {
  const { shifts } = historyOf(
    chain(40, (n) => (n === 25 ? 0.1 : 0)),
    'p50'
  )
  expect(shifts).toMatchObject([{ kind: 'step', way: 'worse', from: 'b25', to: 'b25' }])
  expect(Math.log(shifts[0]!.ratio)).toBeCloseTo(0.1, 1)
})

test('a creep of which no build shows by itself is found', () => {
  const { shifts } = historyOf(
    chain(40, (n) => (n > 20 ? 0.012 : 0)),
    'p50'
  )
  const [{ kind, way, from, to }] = shifts as [(typeof shifts)[number]]
  expect({ kind, way }).toEqual({ kind: 'creep', way: 'worse' })
  expect(Math.abs(Number(from.slice(1)) - 21)).toBeLessThanOrEqual(5)
  expect(Math.abs(Number(to.slice(1)) - 40)).toBeLessThanOrEqual(5)
})

test('what should be high is worse where it falls', () => {
  const slower = chain(10, (n) => (n === 5 ? 0.2 : 0))
  expect(historyOf(slower, 'p50').shifts).toMatchObject([{ way: 'worse' }])
  expect(historyOf(slower, 'throughput').shifts).toMatchObject([{ way: 'worse' }])
})

test('of two shifts each is told', () => {
  const { shifts } = historyOf(
    chain(60, (n) => (n === 20 ? 0.1 : n === 40 ? -0.1 : 0)),
    'p50'
  )
  expect(shifts.map(({ way, to }) => [way, to])).toEqual([
    ['worse', 'b20'],
    ['better', 'b40']
  ])
})

test('of histories that change nothing hardly one in twenty shows a shift', () => {
  const found = Array.from({ length: 100 }, (_, seed) => {
    return historyOf(
      chain(50, () => 0, seed),
      'p50'
    ).shifts.length
  })
  expect(found.filter((count) => count > 0).length).toBeLessThanOrEqual(5)
})

test('30,000 builds, each of which is a step, are followed to the last', () => {
  const { points, shifts } = historyOf(
    chain(30_000, (n) => (n % 2 === 0 ? 0.5 : -0.5)),
    'p50'
  )
  expect(points).toHaveLength(30_000)
  expect(shifts).toHaveLength(30_000)
  expect(shifts.at(-1)).toMatchObject({ kind: 'step', from: 'b30000', to: 'b30000' })
})
