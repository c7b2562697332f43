import { describe, expect, test } from 'vitest'
import { percentiles } from '../../../src/load/figures/histogram.ts'
import { requestsIn } from '../../../src/load/figures/metrics.ts'
import { closed, hold, ramp } from '../../../src/load/load.ts'
import { simulate } from '../virtual.ts'

test('each user asks again as soon as it is answered', async () => {
  const { tally, begun } = await simulate(closed({ users: 5, seconds: 1 }), () => 10)
  expect(begun).toBe(5 * 100)
  expect(requestsIn(tally)).toBe(begun)
  expect(percentiles(tally.response)).toMatchObject({ p50: 10_000, max: 10_000 })
})

test('users who think ask less often, and their thoughts are no latency', async () => {
  const { tally } = await simulate(closed({ users: 5, seconds: 1, thinkMs: 90 }), () => 10)
  expect(requestsIn(tally)).toBe(5 * 10)
  expect(tally.response.maxUs).toBe(10_000)
})

test('the pauses of a range are drawn from all of it', async () => {
  const load = closed({ users: 1, iterations: 5_000, thinkMs: { from: 10, to: 30 } })
  const { asked } = await simulate(load, () => 5)
  const pauses = asked.slice(1).map(({ due }, index) => due - asked[index]!.due - 5)
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(10)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(30)
  expect(pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length).toBeCloseTo(20, 0)
})

describe('iterations', () => {
  test.each([1, 2, 3, 4])('shared by all users are exact with %i workers', async (count) => {
    const load = closed({ users: 10, iterations: 1_003 })
    const parts = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        simulate(load, (n) => 1 + (n % 7), { index, count })
      )
    )
    const numbers = parts.flatMap(({ asked }) => asked.map(({ n }) => n))
    expect(numbers.sort((one, other) => one - other)).toEqual(
      Array.from({ length: 1_003 }, (_, n) => n)
    )
  })

  test.each([1, 2, 4])('of each user are exact with %i workers', async (count) => {
    const load = closed({ users: 10, iterationsEach: 7 })
    const parts = await Promise.all(
      Array.from({ length: count }, (_, index) => simulate(load, () => 1, { index, count }))
    )
    expect(parts.reduce((sum, { begun }) => sum + begun, 0)).toBe(70)
  })

  test('end with the time, when that comes first', async () => {
    const { begun } = await simulate(closed({ users: 2, iterations: 1_000, seconds: 1 }), () => 100)
    expect(begun).toBe(20)
  })
})

test('users come and go with the phases', async () => {
  const load = closed({
    users: [
      ramp({ from: 0, to: 10, seconds: 1 }),
      hold({ users: 10, seconds: 1 }),
      hold({ users: 2, seconds: 1 })
    ]
  })
  const { asked } = await simulate(load, () => 100)
  const during = (from: number, to: number) =>
    asked.filter(({ due }) => due >= from && due < to).length
  expect(during(0, 100)).toBe(1)
  expect(during(1_100, 2_000)).toBe(90)
  expect(during(2_100, 3_000)).toBe(18)
})

test('requests that never end are counted when time is up', async () => {
  const load = closed({ users: 3, seconds: 1, timeoutMs: 500 })
  expect(await simulate(load, () => Infinity)).toMatchObject({ begun: 3, unfinished: 3 })
})
