import { describe, expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import {
  ban,
  busy,
  identify,
  jitter,
  type Limiter,
  leakyQueue,
  slowDown,
  stalled,
  tokenBucket
} from './rate-limiters.ts'

describe('a target that answers later instead of refusing', () => {
  test.each([
    [10, 0, 20],
    [10, 8, 20],
    [20, 0, 5],
    [1, 0, 5]
  ])('a queue of %i a second, %i without delay, %i in all', (perSecond, free, queue) => {
    for (let seed = 0; seed < 4; seed++) {
      const decide = leakyQueue({ perSecond, free, queue })
      const found = identify({ decide, latency: jitter(random(seed), 0.5) })
      expect(found).toMatchObject({
        ...{ algorithm: 'leaky-queue', burst: free + 1, queue: queue - free, status: 429 }
      })
      expect(Math.abs(found.perSecond! / perSecond - 1)).toBeLessThan(0.02)
    }
  })

  test.each([
    [30, 200, 6_000, false],
    [50, 100, 20_000, true]
  ])('%i at once, then %i ms later, in %i ms', (after, delayMs, windowMs, isGrowing) => {
    for (let seed = 0; seed < 4; seed++) {
      const decide = slowDown({ after, delayMs, windowMs, isGrowing })
      const found = identify({ decide, latency: jitter(random(seed), 0.5) })
      expect(found).toMatchObject({ algorithm: 'slow-down', burst: after, isGrowing })
      expect(Math.abs(found.delayMs! / delayMs - 1)).toBeLessThan(0.1)
      expect(Math.abs(found.windowMs! / windowMs - 1)).toBeLessThan(0.03)
    }
  })

  test.each([1_100, 2_300, 2_900, 4_100])('so it is in windows of %i ms', (windowMs) => {
    for (let seed = 0; seed < 6; seed++) {
      const decide = slowDown({ after: 26, delayMs: 140, windowMs, isGrowing: false })
      const found = identify({ decide, latency: jitter(random(seed), 0.5) }, { inFlight: 16 })
      expect(found).toMatchObject({ algorithm: 'slow-down', burst: 26, isGrowing: false })
      expect(Math.abs(found.delayMs! / 140 - 1)).toBeLessThan(0.03)
    }
  })

  test.each([
    [19, 110, 4_000, true],
    [52, 200, 6_500, true],
    [11, 300, 1_500, false],
    [52, 150, 4_100, false]
  ])(
    'a machine that stands still at times: %i, %i ms in %i ms',
    (after, delayMs, windowMs, isGrowing) => {
      for (let seed = 0; seed < 5; seed++) {
        const next = random(seed)
        const decide = stalled(slowDown({ after, delayMs, windowMs, isGrowing }), next)
        const found = identify({ decide, latency: jitter(next, 0.7) }, { inFlight: 16 })
        expect(found).toMatchObject({ algorithm: 'slow-down', burst: after, isGrowing })
        expect(Math.abs(found.delayMs! / delayMs - 1)).toBeLessThan(0.03)
        expect(found.ms).toBeLessThan(90_000)
      }
    }
  )

  test.each([
    ['calm', undefined],
    ['busy', undefined],
    ['stalling', undefined],
    ['calm', 'of the clock'],
    ['stalling', 'of the clock']
  ])('a window is as long as is told, on a %s machine: %s', (machine, clock) => {
    let numbers = 0
    for (let seed = 0; seed < 16; seed++) {
      const next = random(seed)
      const windowMs = 1_500 + Math.floor(6_000 * next())
      const size = { after: 3 + Math.floor(50 * next()), delayMs: 50 + Math.floor(250 * next()) }
      const phaseMs = clock === undefined ? undefined : windowMs * next()
      const slow = slowDown({ ...size, windowMs, isGrowing: next() < 0.6, phaseMs })
      const decide = machine === 'stalling' ? stalled(slow, next) : slow
      const latency = machine === 'busy' ? busy(next) : jitter(next, 0.6)
      const found = identify({ decide, latency }, { inFlight: 16, mostMs: 120_000 })
      const { windowMs: told, windowIn: { from, to } = { from: windowMs, to: windowMs } } = found
      expect(from).toBeLessThanOrEqual(windowMs)
      expect(to).toBeGreaterThanOrEqual(windowMs)
      if (found.algorithm === 'slow-down') expect(told === undefined).toBe('windowIn' in found)
      if (told === undefined) continue
      numbers++
      expect(Math.abs(told / windowMs - 1)).toBeLessThan(0.03)
    }
    if (!clock) expect(numbers).toBeGreaterThan(8)
  })

  test('a queue on such a machine is no slow-down', () => {
    for (let seed = 0; seed < 12; seed++) {
      const next = random(seed)
      const queue = { perSecond: 8 + 2 * seed, free: seed, queue: seed + 12 }
      const decide = stalled(leakyQueue(queue), next)
      const found = identify({ decide, latency: jitter(next, 0.7) }, { inFlight: 16 })
      expect(['leaky-queue', 'unclear']).toContain(found.algorithm)
      if (found.burst !== undefined) expect(found).toMatchObject({ burst: seed + 1, queue: 12 })
    }
  })

  test.each([10, 60, 120])('answers of any length, %i ms in the mean, are no slow-down', (ms) => {
    for (let seed = 0; seed < 4; seed++) {
      const way = { decide: () => true, latency: jitter(random(seed), ms) }
      const found = identify(way, { inFlight: 16, mostRequests: 20_000 })
      expect(['none', 'unclear']).toContain(found.algorithm)
    }
  })

  test('who is only slow, by chance or for all, delays nobody', () => {
    const way = { decide: () => true, latency: jitter(random(1), 60) }
    expect(identify(way)).toMatchObject({ algorithm: 'none' })
    let free = 0
    const busy: Limiter = (ms) => {
      free = Math.max(ms, free) + 5
      return free - ms
    }
    const found = identify({ decide: busy, latency: () => 0.4 })
    expect(found).toMatchObject({ algorithm: 'unclear', repeats: '0/1' })
    expect(found.because).toMatch(/not asked fast enough: 200 a second with 256 in flight/)
  })
})

test('what was not asked fast enough is not said to be without a limit', () => {
  const decide = tokenBucket({ limit: 300, windowMs: 600, phaseMs: 0 })
  let until = 0
  const slow = (ms: number) => {
    until = Math.max(ms, until) + 6.4
    return decide(ms) && until - ms
  }
  const found = identify({ decide: slow, latency: () => 0.4 })
  expect(found.because).toMatch(/^all .* but it was not asked fast enough: 15\d a second/)
})

test('of a few requests it is said that they are too few, and not that they were slow', () => {
  const found = identify({ decide: () => true, latency: () => 0.4 }, { mostRequests: 10 })
  expect(found).toMatchObject({ algorithm: 'unclear', because: expect.stringContaining('too few') })
  expect(found.because).not.toContain('fast')
})

test('a bucket that only a crowd is fast enough for is none of requests in flight', () => {
  const decide = tokenBucket({ limit: 100, windowMs: 200, phaseMs: 0 })
  let until = 0
  const slow = (ms: number) => {
    until = Math.max(ms, until) + 6.4
    return decide(ms) && until - ms
  }
  expect(identify({ decide: slow, latency: () => 0.4 }).algorithm).toBe('unclear')
})

test.each([
  [20, 5_000],
  [7, 12_000]
])('a ban after %i, of %i ms, is told from a window', (limit, banMs) => {
  for (let seed = 0; seed < 4; seed++) {
    const decide = ban({ limit, banMs, renews: false })
    const found = identify({ decide, latency: jitter(random(seed), 0.5) })
    expect(found).toMatchObject({ algorithm: 'ban', burst: limit, repeats: '2/2' })
    expect(Math.abs(found.banMs! / banMs - 1)).toBeLessThan(0.03)
    expect(found.because).toMatch(/^bans for /)
  }
})

test.each([
  ['that ends in an hour', 3_600_000, false],
  ['that asking renews', 60_000, true]
])('a ban %s is told in the first minute, and is never given another name', (_, banMs, renews) => {
  const way = () => ({ decide: ban({ limit: 20, banMs, renews }), latency: () => 0.5 })
  const { algorithm, because } = identify(way(), { mostMs: 61_000 })
  expect(algorithm).toBe('unclear')
  expect(because).toMatch(/^refused for at least [56]\d s after 20 at once: .* or a ban/)
  expect(identify(way(), { mostMs: 360_000 }).algorithm).toMatch(/unclear|ban/)
})

test.each([
  [20, 1_300, 60_000],
  [33, 4_200, 120_000],
  [7, 25_000, 360_000]
])(
  'a ban after %i, of %i ms, that asking renews ends when left in peace',
  (limit, banMs, mostMs) => {
    for (let seed = 0; seed < 4; seed++) {
      const next = random(seed)
      const decide = stalled(ban({ limit, banMs, renews: true }), next)
      const found = identify({ decide, latency: jitter(next, 0.5) }, { inFlight: 16, mostMs })
      expect(found).toMatchObject({ algorithm: 'ban', burst: limit, countsRefused: true })
      expect(found.because).toMatch(
        /renewed by every request: it never came back while it was asked/
      )
      expect(Math.abs((found.banMs ?? banMs) / banMs - 1)).toBeLessThan(0.05)
      if (banMs < 20_000) expect(found.banMs).toBeDefined()
    }
  }
)
