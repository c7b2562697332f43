import { describe, expect, test } from 'vitest'
import type { RateLimit } from '../../src/limit/rate-limit.ts'
import { random } from '../../src/random.ts'
import {
  fixedAligned,
  fixedAnchored,
  identify,
  jitter,
  type Limiter,
  type Size,
  slidingCounter,
  slidingLog,
  slidingLogOfAll,
  spaced,
  tokenBucket
} from './rate-limiters.ts'

const sixMinutesMs = 360_000
const limiters = { fixedAligned, fixedAnchored, slidingLog, slidingCounter, tokenBucket, spaced }
type Name = keyof typeof limiters

const said: Record<Name, Partial<RateLimit>> = {
  fixedAligned: { algorithm: 'fixed-window', anchor: 'clock' },
  fixedAnchored: { algorithm: 'fixed-window', anchor: 'first-request' },
  slidingLog: { algorithm: 'sliding-log' },
  slidingCounter: { algorithm: 'sliding-counter' },
  tokenBucket: { algorithm: 'token-bucket' },
  spaced: { algorithm: 'token-bucket' }
}

/** Limit and window in ms; what one of the limiters cannot be told by is left out for it. */
const sizes: [number, number][] = [
  [1, 1_000],
  [2, 1_000],
  [5, 1_000],
  [10, 100],
  [60, 60_000],
  [100, 1_000],
  [100, 10_000],
  [1_000, 60_000]
]
/** A counter of one or two, and what is spaced by no more than some answers take. */
const isUntold = (name: Name, limit: number, windowMs: number) =>
  (name === 'slidingCounter' && limit <= 2) || (name === 'spaced' && windowMs / limit < 100)

/** What is to be said: of a limit of one, three kinds act the same. */
function expected(name: Name, limit: number): Partial<RateLimit> {
  const isAlike = limit === 1 && (name === 'fixedAnchored' || name === 'slidingLog')
  const burst = name === 'spaced' ? 1 : limit
  return { ...said[isAlike ? 'tokenBucket' : name], burst, status: 429 }
}

/** Some limiter at a random phase, on a way with jitter of its own. */
function seeded(name: Name, [limit, windowMs]: [number, number], seed: number) {
  const next = random(seed, `${name} ${limit} ${windowMs}`)
  const decide = limiters[name]({ limit, windowMs, phaseMs: next() * windowMs })
  return { decide, latency: jitter(next, 0.2 + 1.3 * next()) }
}

describe('each limiter is told, with its size, within six minutes', () => {
  for (const name of Object.keys(limiters) as Name[]) {
    const told = sizes.filter(([limit, windowMs]) => !isUntold(name, limit, windowMs))
    test.each(told)(`${name} of %i in %i ms`, (limit, windowMs) => {
      const found = Array.from({ length: 8 }, (_, seed) =>
        identify(seeded(name, [limit, windowMs], seed), { mostMs: sixMinutesMs })
      )
      const clear = found.filter(({ algorithm }) => algorithm !== 'unclear')
      const matching = expected(name, limit)
      for (const limit of clear) expect(limit).toMatchObject(matching)
      expect(clear.length).toBeGreaterThanOrEqual(7)
      for (const { perSecond, burst, windowMs: window } of clear) {
        const off = name === 'slidingCounter' && limit < 20 ? 0.05 : 0.03
        expect(Math.abs((perSecond! * windowMs) / 1_000 / limit - 1)).toBeLessThan(off)
        expect(burst! / window!).toBeCloseTo(perSecond! / 1_000)
      }
    })
  }
})

describe('no other kind is ever named', () => {
  const hard: [Name, number, number][] = [
    ['slidingCounter', 1, 1_000],
    ['slidingCounter', 2, 1_000],
    ['slidingCounter', 1_000, 1_000],
    ['fixedAnchored', 1_000, 1_000],
    ['slidingLog', 1_000, 1_000]
  ]
  test.each(hard)('%s of %i in %i ms', (name, limit, windowMs) => {
    for (let seed = 0; seed < 5; seed++) {
      const { algorithm } = identify(seeded(name, [limit, windowMs], seed))
      expect([said[name].algorithm, 'unclear']).toContain(algorithm)
    }
  })

  const used = (Object.keys(limiters) as Name[]).flatMap((name) =>
    sizes.slice(0, 6).map(([limit, windowMs]) => [name, limit, windowMs] as const)
  )
  test.each(used)('%s of %i in %i ms that was used before', (name, limit, windowMs) => {
    const found = Array.from({ length: 10 }, (_, seed) => {
      const way = seeded(name, [limit, windowMs], seed)
      const next = random(seed, 'before')
      const before = Array.from({ length: 1.2 * limit * next() }, () => -windowMs * next())
      for (const ms of before.sort((a, b) => a - b)) way.decide(ms)
      return identify(way)
    })
    const clear = found.filter(({ algorithm }) => algorithm !== 'unclear')
    for (const { algorithm } of clear) {
      expect(algorithm).toBe(expected(name, limit).algorithm)
    }
    // A window that ends at once, as the first two do, is as well known as if it had been idle.
    const isSudden = name.startsWith('fixed')
    if (isSudden) expect(clear.length).toBe(10)
    else if (!isUntold(name, limit, windowMs)) expect(clear.length).toBeGreaterThanOrEqual(5)
    for (const { countsRefused } of found) expect(countsRefused).toBeUndefined()
  })

  test.each(Object.keys(limiters) as Name[])('%s at the end of a slow way', (name) => {
    for (let seed = 0; seed < 5; seed++) {
      const { decide } = seeded(name, [100, 1_000], seed)
      const { algorithm } = identify({ decide, latency: jitter(random(seed), 50) })
      expect([said[name].algorithm, 'unclear']).toContain(algorithm)
    }
  })
})

describe('a slow way', () => {
  test.each(['fixedAligned', 'fixedAnchored', 'slidingLog', 'tokenBucket'] as const)(
    'is no obstacle where the window is long: %s',
    (name) => {
      const { decide } = seeded(name, [60, 60_000], 1)
      const { algorithm } = identify({ decide, latency: jitter(random(1), 50) })
      expect(algorithm).toBe(said[name].algorithm)
    }
  )

  test('is said to be too slow where it takes as long as the window', () => {
    const { decide } = seeded('slidingLog', [100, 1_000], 1)
    const { because } = identify({ decide, latency: jitter(random(1), 50) })
    expect(because).toMatch(/asking takes \d+ ms of about [\d,]+ ms, too slow to tell$/)
  })
})

test('what is spaced by less than a window can be is a bucket', () => {
  const way = { decide: spaced({ limit: 100, windowMs: 1_000, phaseMs: 0 }), latency: () => 0.2 }
  const limit = identify(way)
  expect(limit).toMatchObject({ algorithm: 'token-bucket', burst: 1, repeats: '2/2' })
  expect(Math.abs(limit.perSecond! - 100)).toBeLessThan(1)
  expect(limit.requests).toBeLessThan(3_000)
})

test('what is spaced by no more than an answer takes is asked too slowly', () => {
  const way = { decide: spaced({ limit: 1_000, windowMs: 1_000, phaseMs: 0 }), latency: () => 2 }
  expect(identify(way).algorithm).toBe('unclear')
  const barely = { ...way, latency: jitter(random(2), 0.6) }
  expect(identify(barely).algorithm).toBe('unclear')
})

test('without noise all numbers are exact', () => {
  const size: Size = { limit: 40, windowMs: 10_000, phaseMs: 1_234 }
  const found = (Object.keys(limiters) as Name[]).map((name) => {
    const { algorithm, burst, perSecond, repeats } = identify({
      decide: limiters[name](size),
      latency: () => 0.5
    })
    return { algorithm, burst, perSecond: perSecond!.toFixed(1), repeats }
  })
  const all = { burst: 40, perSecond: '4.0', repeats: '3/3' }
  expect(found).toEqual([
    { ...all, algorithm: 'fixed-window' },
    { ...all, algorithm: 'fixed-window' },
    { ...all, algorithm: 'sliding-log' },
    { ...all, algorithm: 'sliding-counter' },
    { ...all, algorithm: 'token-bucket' },
    { ...all, algorithm: 'token-bucket', burst: 1 }
  ])
})

test('a minute that is hardly enough is answered with fewer trials, or none', () => {
  const way = () => seeded('fixedAligned', [60, 60_000], 3)
  expect(identify(way(), { mostMs: sixMinutesMs }).repeats).toMatch(/^[12]\/[12]$/)
  expect(identify(way(), { mostMs: 100_000 })).toMatchObject({
    algorithm: 'unclear',
    repeats: '0/0'
  })
})

test('a second takes little more than half a minute, of a counter a third more', () => {
  const names = Object.keys(limiters) as Name[]
  const longest = (name: Name) => identify(seeded(name, [20, 1_000], 5)).ms
  const others = names.filter((name) => name !== 'slidingCounter')
  // A window from the first request is also used up late, which takes two of them.
  expect(Math.max(...others.map(longest))).toBeLessThan(36_000)
  expect(longest('slidingCounter')).toBeLessThan(45_000)
})

describe('what is no rate limit, or none of these', () => {
  const latency = () => jitter(random(1), 2)
  const all: Limiter = () => true

  test('a target without one', () => {
    const limit = identify({ decide: all, latency: () => 1 }, { mostRequests: 1_000 })
    expect(limit).toMatchObject({
      algorithm: 'none',
      perSecond: 10_000,
      because: 'all 1,000 in 100 ms were accepted'
    })
    expect(limit.burst).toBeUndefined()
  })

  test('a target without one that uses up all before it is asked what is held up', () => {
    for (let seed = 0; seed < 2; seed++) {
      const way = { decide: all, latency: jitter(random(seed), 2) }
      const limit = identify(way, { inFlight: 16, mostRequests: 20_000 })
      expect(limit).toMatchObject({ algorithm: 'none', requests: 20_000 })
      expect(limit.because).toMatch(/^all 20,000 in 2,\d+ ms were accepted$/)
    }
  })

  test.each([1, 2, 5, 7])('a limit of %i in flight at once', (crowd) => {
    const limit = identify({ decide: all, latency: latency(), crowd })
    expect(limit.algorithm).toBe('unclear')
    expect(limit.because).toContain('in flight')
  })

  test('a limit in flight that is hardly ever met', () => {
    const options = { mostRequests: 20_000 }
    expect(identify({ decide: all, latency: latency(), crowd: 9 }, options).algorithm).toBe(
      'unclear'
    )
  })

  test('a target that refuses everything', () => {
    const limit = identify({ decide: () => false, latency: latency() }, { mostMs: sixMinutesMs })
    expect(limit).toMatchObject({ algorithm: 'unclear', because: 'nothing was accepted' })
    expect(limit.requests).toBeLessThan(200)
  })

  test('a log of one that counts what it refused', () => {
    const decide = slidingLogOfAll({ limit: 1, windowMs: 1_000, phaseMs: 0 })
    const found = identify({ decide, latency: latency() })
    expect(found).toMatchObject({ algorithm: 'unclear', countsRefused: true })
    expect(found.because).toMatch(/^refused requests count: after [\d,]+ ms of silence/)
  })

  test('a log that counts what it refused, and takes about as many as it is polled for', () => {
    for (const limit of [55, 115, 190]) {
      const decide = slidingLogOfAll({ limit, windowMs: 10_000, phaseMs: 0 })
      const found = identify({ decide, latency: latency() })
      expect(found.algorithm).toMatch(/^(unclear|sliding-log)$/)
      if (found.burst) expect(found).toMatchObject({ burst: limit, countsRefused: true })
    }
  })

  test('no limiter that forgets refusals is said to count them', () => {
    for (const name of Object.keys(limiters) as Name[]) {
      for (const [limit, windowMs] of sizes.slice(0, 4)) {
        expect(identify(seeded(name, [limit, windowMs], 9)).countsRefused).toBeUndefined()
      }
    }
  })
})
