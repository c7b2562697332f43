import { expect, test } from 'vitest'
import { createHistogram, percentileUs } from '../../src/load/figures/histogram.ts'
import { createStretches, join, latencies, type Stretch } from '../../src/verdict/stretch.ts'

/** A stretch of a second in which 10 requests took so many milliseconds. */
function stretch(changes: Partial<Stretch> = {}, ms = 1): Stretch {
  const histogram = createHistogram()
  for (let n = 0; n < 10; n++) histogram.record(ms)
  const response = histogram.distribution()
  const load = { seconds: 1, requests: 10, failures: 1, response, cpuUs: 500 }
  return { seconds: 1, voidSeconds: 0, load, floors: { rss: 100 }, process: 'one', ...changes }
}

test('two stretches together are one of both', () => {
  const both = join(stretch({}, 1), stretch({ floors: { rss: 90, heap: 5 } }, 3))
  expect(both).toMatchObject({ seconds: 2, voidSeconds: 0, process: 'one' })
  expect(both.floors).toEqual({ rss: 90, heap: 5 })
  expect(both.load).toMatchObject({ seconds: 2, requests: 20, failures: 2, cpuUs: 1_000 })
  expect(percentileUs(both.load!.response, 50)).toBe(1_000)
  expect(percentileUs(both.load!.response, 90)).toBeCloseTo(3_000, -1)
})

test('a stretch of the generator’s own adds its time, and no answers', () => {
  const { load: _, ...rest } = stretch({ voidSeconds: 1 })
  const both = join(rest, stretch())
  expect(both).toMatchObject({ seconds: 2, voidSeconds: 1, load: { requests: 10, seconds: 1 } })
  expect(join(rest, rest).load).toBeUndefined()
})

test('processor time of which half is unknown is unknown', () => {
  const { load } = stretch()
  const { cpuUs: _, ...without } = load!
  expect(join(stretch(), stretch({ load: without })).load).not.toHaveProperty('cpuUs')
})

test('answers of which half are not told are not told', () => {
  const { load } = stretch()
  const telling = stretch({ load: { ...load!, answers: 9 } })
  expect(join(telling, telling).load!.answers).toBe(18)
  expect(join(telling, stretch()).load).not.toHaveProperty('answers')
})

test('what another process held before is none of the present one’s', () => {
  const later = stretch({ process: 'two', floors: { rss: 200 } })
  expect(join(stretch({ floors: { rss: 100, heap: 1 } }), later)).toMatchObject({
    process: 'two',
    floors: { rss: 200 }
  })
})

test.each([1, 79, 80, 200, 1_000, 12_345])('of %i stretches as many remain as fit', (count) => {
  const kept = createStretches()
  for (let n = 0; n < count; n++) {
    kept.add({ seconds: 1, voidSeconds: 0, floors: { rss: 1_000 + n } })
  }
  const all = kept.all()
  expect(all.length).toBeLessThan(80)
  expect(all.length).toBeGreaterThanOrEqual(Math.min(count, 40))
  const [{ seconds }] = all as [Stretch]
  expect(new Set(all.map((one) => one.seconds))).toEqual(new Set([seconds]))
  // In order, each with its own lowest value, and none lost but the rest that fills no stretch.
  expect(all.map(({ floors }) => floors.rss)).toEqual(
    all.map((_, place) => 1_000 + place * seconds)
  )
  expect(all.length * seconds).toBeGreaterThan(count - seconds)
})

test('a stretch without answers has no latencies', () => {
  expect(latencies(stretch({}, 2))!.p50).toBeCloseTo(2_000, -1)
  expect(latencies({ seconds: 1, voidSeconds: 1, floors: {} })).toBeUndefined()
})
