import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { usedBefore } from './queued-windows.ts'
import {
  busy,
  fixedAligned,
  fixedAnchored,
  identify,
  jitter,
  type Limiter,
  ownCounter,
  slidingLog,
  stacked,
  stalled,
  tokenBucket
} from './rate-limiters.ts'

const way = (decide: Limiter, seed = 0) => ({ decide, latency: jitter(random(seed), 0.5) })
const inner = { limit: 11, windowMs: 1_100, phaseMs: 0 }

test.each([
  ['a bucket of 2 a second', () => tokenBucket({ limit: 61, windowMs: 30_500, phaseMs: 0 })],
  ['a window of 20 s', () => fixedAnchored({ limit: 100, windowMs: 20_000, phaseMs: 0 })],
  ['a log of 15 s', () => slidingLog({ limit: 70, windowMs: 15_000, phaseMs: 0 })]
])('behind a bucket of 10 a second %s is told as another layer', (_, outer) => {
  for (let seed = 0; seed < 2; seed++) {
    const found = identify(way(stacked(tokenBucket(inner), outer()), seed), { inFlight: 16 })
    expect(found.algorithm).toBe('stacked')
    expect(found.because).toMatch(/^one limit: .*; and a slower one behind it: /)
    // The token that comes back while it is asked belongs to those at once, or not.
    expect([10, 11]).toContain(found.burst)
    expect(found.perSecond).toBeCloseTo(10, 1)
  }
})

test.each([
  ['bucket', tokenBucket],
  ['window', fixedAnchored],
  ['window of the clock', fixedAligned],
  ['log', slidingLog]
])('a %s alone is no two', (_, make) => {
  for (let seed = 0; seed < 4; seed++) {
    const { algorithm } = identify(way(make({ ...inner, phaseMs: 300 * seed }), seed))
    expect(algorithm).not.toBe('stacked')
    expect(algorithm).not.toBe('unclear')
  }
})

test('a counter whose windows begin with the first request is a sliding counter', () => {
  for (let seed = 0; seed < 4; seed++) {
    const found = identify(way(ownCounter({ limit: 40, windowMs: 3_000, phaseMs: 0 }), seed))
    expect(found).toMatchObject({ algorithm: 'sliding-counter', burst: 40 })
    expect(Math.abs(found.windowMs! / 3_000 - 1)).toBeLessThan(0.03)
    expect(found.because).toMatch(/^after 40 at once, none up to [23],\d+ ms after the first/)
  }
})

const inTwoMinutes = { inFlight: 16, mostMs: 120_000 }

test('two windows are told with how many each takes, and how long', () => {
  for (let seed = 0; seed < 2; seed++) {
    const one = fixedAnchored({ limit: 10, windowMs: 1_000, phaseMs: 0 })
    const other = fixedAnchored({ limit: 40, windowMs: 10_000, phaseMs: 0 })
    const found = identify(way(stacked(one, other), seed), inTwoMinutes)
    expect(found).toMatchObject({ algorithm: 'stacked', burst: 10, behind: { burst: 40 } })
    expect(Math.abs(found.behind!.windowMs! / 10_000 - 1)).toBeLessThan(0.03)
  }
})

test('two buckets of which the slower is emptied soon are told', () => {
  for (let seed = 0; seed < 2; seed++) {
    const one = tokenBucket({ limit: 41, windowMs: 41_000 / 45, phaseMs: 0 })
    const other = tokenBucket({ limit: 71, windowMs: 71_000 / 7, phaseMs: 0 })
    const found = identify(way(stacked(one, other), seed), inTwoMinutes)
    expect(found).toMatchObject({ algorithm: 'stacked', burst: 41, behind: { burst: 71 } })
    expect(Math.abs(found.perSecond! / 45 - 1)).toBeLessThan(0.03)
    expect(Math.abs(found.behind!.perSecond! / 7 - 1)).toBeLessThan(0.03)
  }
})

test.each([
  ['refuses for less than a third of the time', { limit: 4, windowMs: 400 }, [60, 10_000]],
  ['has a window that ends on the way', { limit: 10, windowMs: 1_000 }, [100, 20_000]]
] as const)('a second one is never missed that %s', (_, one, [limit, windowMs]) => {
  const told = Array.from({ length: 8 }, (_, seed) => {
    const outer = fixedAnchored({ limit, windowMs, phaseMs: 0 })
    const decide = stacked(tokenBucket({ ...one, phaseMs: 0 }), outer)
    return identify({ decide, latency: busy(random(seed)) }, inTwoMinutes).algorithm
  })
  expect(told.filter((one) => one !== 'stacked' && one !== 'unclear')).toEqual([])
  expect(told.filter((one) => one === 'stacked').length).toBeGreaterThan(5)
})

test.each([
  ['window', fixedAnchored],
  ['log', slidingLog]
])('a %s that halves on the way is no two, and is said to let less through', (_, make) => {
  for (let seed = 0; seed < 4; seed++) {
    const [whole, half] = [20, 10].map((limit) => make({ limit, windowMs: 2_000, phaseMs: 0 }))
    const { algorithm, because } = identify(
      way((ms) => (ms < 25_000 ? whole! : half!)(ms), seed),
      { inFlight: 16 }
    )
    expect(algorithm).toBe('unclear')
    expect(because).toMatch(/^after 20 at once, .*in windows as long as before: it lets .* less/)
  }
})

test('two buckets that time is too short for are not told as one of a pace between them', () => {
  const slow = { limit: 61, windowMs: 30_500, phaseMs: 0 }
  for (const seed of [104, 121, 1, 2]) {
    const next = random(seed, 'st')
    const two = stacked(tokenBucket(inner), tokenBucket(slow))
    const decide = usedBefore(two, 3)
    const ways = [
      { decide, latency: jitter(next, 0.7) },
      { decide, latency: busy(next) },
      { decide: stalled(decide, next), latency: jitter(next, 0.7) }
    ]
    const found = identify(ways[seed % 3]!, { inFlight: 16, mostMs: 119_000 })
    expect(['stacked', 'unclear'], found.because).toContain(found.algorithm)
  }
})
