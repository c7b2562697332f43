import fc from 'fast-check'
import { build, encodeIntoCompressedBase64 } from 'hdr-histogram-js'
import { describe, expect, test } from 'vitest'
import {
  createHistogram,
  mergeDistributions,
  percentiles,
  percentileUs
} from '../../../src/load/figures/histogram.ts'
import {
  createMetrics,
  maxRoutes,
  mergeTallies,
  otherRoutes,
  requestsIn,
  type Tally
} from '../../../src/load/figures/metrics.ts'
import { createSample, endings, type Sample } from '../../../src/load/figures/sample.ts'

const recorded = (valuesMs: readonly number[]) => {
  const histogram = createHistogram()
  for (const ms of valuesMs) histogram.record(ms)
  const distribution = histogram.distribution()
  return distribution
}

const tallyOf = (samples: readonly Partial<Sample>[], routes: readonly string[] = []): Tally => {
  const metrics = createMetrics()
  const numbers = routes.map(metrics.routeNumber)
  for (const sample of samples) {
    const route = numbers[sample.route ?? -1] ?? 0
    metrics.record({ ...createSample(), status: 200, ...sample, route })
  }
  const tally = metrics.tally()
  return tally
}

describe('a distribution', () => {
  test('is exact in count, extremes and sum, whatever its cells', () => {
    const { encoded: _, ...exact } = recorded([0.0004, 0.0016, 12.3456, 7_200_000])
    const maxUs = 7_200_000_000
    expect(exact).toEqual({ count: 4, minUs: 0, maxUs, sumUs: 2 + 12_346 + maxUs })
  })

  test('is what HdrHistogram itself makes of the same values', () => {
    const us = fc.oneof(fc.nat(5_000), fc.nat(2 ** 31 - 1), fc.constantFrom(2_047, 2_048, 3.6e9))
    fc.assert(
      fc.property(fc.array(us, { maxLength: 100 }), (values) => {
        const same = build({
          ...{ lowestDiscernibleValue: 1, highestTrackableValue: 3.6e9, autoResize: false },
          ...{ numberOfSignificantValueDigits: 3, bitBucketSize: 32 }
        })
        for (const value of values) same.recordValue(value)
        const { encoded } = recorded(values.map((value) => value / 1_000))
        expect(encoded).toBe(encodeIntoCompressedBase64(same))
      }),
      { seed: 2, numRuns: 200 }
    )
  })

  test('has every percentile within a thousandth, as sorting would find it', () => {
    const latency = fc.double({ min: 0.001, max: 60_000, noNaN: true })
    fc.assert(
      fc.property(fc.array(latency, { minLength: 1, maxLength: 200 }), (values) => {
        const distribution = recorded(values)
        const sorted = values.map((ms) => Math.round(ms * 1_000)).sort((a, b) => a - b)
        for (const percent of [50, 90, 99, 99.9, 100]) {
          const rank = Math.max(1, Math.ceil((sorted.length * percent) / 100 - 1e-9))
          const [found, true_] = [percentileUs(distribution, percent)!, sorted[rank - 1]!]
          expect(found).toBeGreaterThanOrEqual(true_)
          expect(found - true_).toBeLessThanOrEqual(Math.ceil(true_ / 1_000))
        }
      }),
      { seed: 1, numRuns: 200 }
    )
  })

  test('that is empty has nothing to tell', () => {
    expect(Object.values(percentiles(recorded([])))).toEqual(Array(7).fill(null))
  })

  test('of parts is that of the whole, in any order', () => {
    const parts = [[1, 2, 3], [], [1_000], [0.5, 2]]
    const whole = recorded(parts.flat())
    expect(mergeDistributions(parts.map(recorded))).toEqual(whole)
    expect(mergeDistributions(parts.toReversed().map(recorded))).toEqual(whole)
  })

  test('that was merged counts beyond what 32 bits hold', () => {
    let sum = recorded([5])
    for (let doubling = 0; doubling < 34; doubling++) sum = mergeDistributions([sum, sum])
    expect(sum.count).toBe(2 ** 34)
    expect(percentileUs(mergeDistributions([sum, recorded([9])]), 50)).toBe(5_003)
  })
})

describe('a tally', () => {
  test('counts responses by status, and what is none by its ending', () => {
    const tally = tallyOf([
      { status: 200 },
      { status: 200 },
      { status: 503 },
      ...endings.slice(1).map((ending) => ({ ending, status: 0 }))
    ])
    const once = Object.fromEntries(endings.slice(1).map((ending) => [ending, 1]))
    expect(tally.results).toEqual({ 200: 2, 503: 1, ...once })
    expect(requestsIn(tally)).toBe(3 + endings.length - 1)
  })

  test('has latencies of responses and timeouts, and of nothing else', () => {
    const tally = tallyOf([
      { due: 0, sent: 4, first: 7, end: 10 },
      { ending: 'timeout', due: 0, sent: 5, end: 1_005 },
      { ending: 'refused', end: 1 },
      { ending: 'reset', end: 1 }
    ])
    expect(tally.response).toMatchObject({ count: 2, minUs: 10_000, maxUs: 1_005_000 })
    expect(tally.service).toMatchObject({ count: 2, minUs: 6_000, maxUs: 1_000_000 })
    expect(tally.firstByte).toMatchObject({ count: 1, maxUs: 3_000 })
  })

  test('keeps routes apart, but not without end', () => {
    const metrics = createMetrics()
    for (let n = 0; n < 2 * maxRoutes; n++) {
      const route = metrics.routeNumber(`/${n}`)
      metrics.record({ ...createSample(), status: 200, route })
    }
    const { routes } = metrics.tally()
    expect(Object.keys(routes)).toHaveLength(maxRoutes + 1)
    expect(routes[otherRoutes]!.results).toEqual({ 200: maxRoutes })
  })

  test('keeps them apart when tallies are merged, and not without end either', () => {
    const names = (prefix: string) => Array.from({ length: maxRoutes }, (_, n) => `${prefix}${n}`)
    const parts = ['a', 'b'].map((prefix) =>
      tallyOf(
        names(prefix).map((_, route) => ({ route })),
        names(prefix)
      )
    )
    const { routes } = mergeTallies(parts)
    expect(Object.keys(routes)).toHaveLength(maxRoutes + 1)
    expect(routes[otherRoutes]!.results).toEqual({ 200: maxRoutes })
  })

  test('of parts is that of the whole, in any order', () => {
    const samples = [
      { end: 5, bytesSent: 10, bytesReceived: 20, route: 0 },
      { end: 7, status: 404, bytesSent: 1, route: 1 },
      { ending: 'reset' as const, due: 1, end: 4, route: 0 },
      { ending: 'closed' as const, end: 2, route: 0 },
      { ending: 'timeout' as const, end: 1_000 }
    ]
    const whole = tallyOf(samples, ['x', 'y'])
    expect(whole.failedUs).toBe(3_000 + 2_000)
    const parts = samples.map((sample) => tallyOf([sample], ['x', 'y']))
    expect(mergeTallies(parts)).toEqual(whole)
    expect(mergeTallies(parts.toReversed())).toEqual(whole)
    expect(mergeTallies([whole, mergeTallies([])])).toEqual(whole)
  })
})
