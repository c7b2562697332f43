import { describe, expect, test } from 'vitest'
import { percentiles } from '../../../src/load/figures/histogram.ts'
import { requestsIn } from '../../../src/load/figures/metrics.ts'
import { hold, open, poisson, ramp, warmUp } from '../../../src/load/load.ts'
import { simulate } from '../virtual.ts'

describe('a server whose law is known', () => {
  const load = { ...open(hold({ rate: 1_000, seconds: 10 })), connections: 50 }

  test('that takes as long every time', async () => {
    const { tally, lag } = await simulate(load, () => 20)
    const expected = { p50: 20_000, p99: 20_000, max: 20_000, mean: 20_000 }
    expect(requestsIn(tally)).toBe(10_000)
    expect(percentiles(tally.response)).toMatchObject(expected)
    expect(percentiles(tally.service)).toMatchObject(expected)
    expect(lag).toMatchObject({ count: 10_000, maxUs: 0 })
  })

  test('that has two speeds: percentiles on either side of the share are theirs', async () => {
    const { tally } = await simulate(load, (n) => (n % 20 === 0 ? 45 : 5))
    const { p50, p90, p99, mean } = percentiles(tally.response)
    expect([p50, p90, p99].map((us) => Math.round(us! / 100) * 100)).toEqual([5_000, 5_000, 45_000])
    expect(mean).toBe(7_000)
  })

  test('that freezes once: 1 of 20 users feels it, and 1 of 200 requests sent', async () => {
    const freeze = { from: 5_000, to: 5_500 }
    const { tally } = await simulate(load, (_, sent) =>
      sent >= freeze.from && sent < freeze.to ? freeze.to - sent + 1 : 1
    )
    const response = percentiles(tally.response)
    const service = percentiles(tally.service)
    // All 500 arrivals of the freeze are late, but only the 50 that had a connection took long.
    expect(response.p99).toBeGreaterThan(350_000)
    expect(service.p99).toBe(1_000)
    expect(response.max).toBe(service.max)
    expect(requestsIn(tally)).toBe(10_000)
  })
})

describe('arrivals', () => {
  test('come on time however slow the server is, until too many are unfinished', async () => {
    const load = { ...open(hold({ rate: 100, seconds: 1 })), maxInFlight: 30, connections: 50 }
    const { tally, begun, unfinished, asked } = await simulate(load, () => 500)
    expect(asked[29]).toEqual({ n: 29, due: 290 })
    // Thirty are in flight until the first one ends at 500 ms; each end then makes room for one.
    expect(begun).toBe(30 + 30)
    expect(tally.dropped).toBe(40)
    expect(unfinished).toBe(0)
  })

  test('that never end are counted when time is up', async () => {
    const load = { ...open(hold({ rate: 10, seconds: 1 })), timeoutMs: 1_000 }
    const { begun, unfinished, tally } = await simulate(load, () => Infinity)
    expect({ begun, unfinished, requests: requestsIn(tally) }).toEqual({
      begun: 10,
      unfinished: 10,
      requests: 0
    })
  })

  test('of the warm-up are asked but not measured', async () => {
    const load = open(
      ...warmUp(ramp({ from: 0, to: 100, seconds: 1 })),
      hold({ rate: 100, seconds: 1 })
    )
    const { begun, tally } = await simulate(load, () => 1)
    expect(begun).toBe(150)
    expect(requestsIn(tally)).toBe(100)
  })

  test('are slept for, but where precision is worth a core', async () => {
    const load = open(hold({ rate: 100, seconds: 1 }))
    const slept = await simulate(load, () => 1)
    expect(slept.sleeps).toBeGreaterThanOrEqual(99)
    const precise = await simulate({ ...load, precise: true }, () => 1)
    expect(precise).toMatchObject({ sleeps: 0, asked: slept.asked })
  })

  test('end early when their number is limited', async () => {
    const load = { ...open(hold({ rate: 100, seconds: 60 })), iterations: 42 }
    expect((await simulate(load, () => 1)).begun).toBe(42)
  })

  test.each([1, 2, 3, 4])('are the same, whether %i workers share them', async (count) => {
    const load = open(
      ...poisson(ramp({ from: 10, to: 100, seconds: 2 })),
      hold({ rate: 77, seconds: 1 })
    )
    const alone = await simulate(load, () => 3)
    const shared = await Promise.all(
      Array.from({ length: count }, (_, index) => simulate(load, () => 3, { index, count }))
    )
    const asked = shared.flatMap((part) => part.asked).sort((one, other) => one.n - other.n)
    expect(asked).toEqual(alone.asked)
  })
})
