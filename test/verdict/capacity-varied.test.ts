import { expect, test } from 'vitest'
import { capacityVerdict } from '../../src/cli/terminal/capacity-text.ts'
import { random } from '../../src/random.ts'
import type { Capacity } from '../../src/verdict/capacity.ts'
import { lanes, searching } from '../engine/virtual-capacity.ts'

type Law = (chance: number, now: number) => number

/** What a search of two minutes finds of one lane whose requests take so many milliseconds. */
async function searched(law: Law, p99Ms: number, seed: number): Promise<Capacity> {
  const next = random(seed, 'service')
  const { outcome } = await searching((now) => lanes(() => law(next(), now()))(), {
    ...{ seed, seconds: 120, shape: { connections: 1, pipelining: 1, timeoutMs: 5_000 } },
    objective: { p99Us: p99Ms * 1_000, errorRatio: 0.001 }
  })
  if (outcome.ended !== 'searched') throw new Error(outcome.because)
  return outcome.capacity
}

const exponential: Law = (chance) => -5 * Math.log(1 - chance)

test('of requests that take various times it is the long run that is told', async () => {
  for (const seed of [1, 2, 3]) {
    const { interval, unsteady, confirmed, lower, upper } = await searched(exponential, 100, seed)
    // D/M/1: 1 % of responses take longer than 100 ms at 175.9/s, where 200/s are served.
    expect(interval![0]).toBeLessThan(175.9)
    expect(interval![1]).toBeGreaterThan(175.9)
    expect(interval![1]).toBeLessThan(1.2 * interval![0])
    expect(unsteady).toBeUndefined()
    expect(confirmed).toBeLessThan(175.9)
    expect(lower).toBe(confirmed)
    expect(upper).toBeGreaterThanOrEqual(interval![1])
  }
}, 60_000)

test('a queue that takes longer than a run to show is reckoned, and that is said', async () => {
  const found = await searched((chance) => (chance < 0.1 ? 25 : 5), 500, 1)
  expect(found.interval![0]).toBeLessThan(139.6)
  expect(found.interval![1]).toBeGreaterThan(139.6)
  expect(found.undecided).toMatch(/queue takes \d+ s to come and go.*which takes --time \d+m/)
  expect(capacityVerdict(found)).toMatch(/held, not decided: requests take various times/)
}, 60_000)

test('one that becomes a third slower meanwhile is told to have changed', async () => {
  const slower: Law = (chance, now) => exponential(chance, now) * (now < 45_000 ? 1 : 1.4)
  expect((await searched(slower, 100, 1)).unsteady?.kind).toBe('changed')
}, 60_000)

/** A tenth of requests is slow, each after nine that are quick. */
function byTurns(): Law {
  let nth = 0
  return () => (nth++ % 10 === 0 ? 23 : 3)
}

/** Twenty in a row are slow, or quick, by one chance. */
function byMoods(): Law {
  let [nth, ms] = [0, 3]
  return (chance) => {
    if (nth++ % 20 === 0) ms = chance < 0.25 ? 11 : 3
    return ms
  }
}

test.each([
  ['shorter', 'more', byTurns],
  ['longer', 'less', byMoods]
])(
  'that requests are not independent is said where queues are %s',
  async (way, held, law) => {
    const { undecided } = await searched(law(), 150, 3)
    expect(undecided).toMatch(new RegExp(`^queues are ${way} than .* may be ${held}$`))
  },
  60_000
)
