import { describe, expect, test } from 'vitest'
import type { Answer } from '../../src/limit/answer.ts'
import { probeRate, type RateProbeOptions } from '../../src/limit/rate-probe.ts'
import { fixedAligned, type Limiter, tokenBucket } from './rate-limiters.ts'
import { virtualClock } from './virtual-clock.ts'

function say(kind: Answer['kind'], status: number, because = `HTTP ${status}`): Answer {
  const request = { method: 'GET', url: '', bodyBytes: 0 }
  const evidence = { kind: 'answered', status, phase: 'end', sent: 0, because, request } as const
  return { kind, proper: true, because, evidence: { ...evidence, excerpt: '' } }
}

/** A target a millisecond away, and how many are asked of it, and at once. */
function target(decide: Limiter, clock = virtualClock()) {
  const counts = { asked: 0, now: 0, atOnce: 0, lastMs: 0 }
  const ask = async () => {
    counts.asked++
    counts.atOnce = Math.max(counts.atOnce, ++counts.now)
    counts.lastMs = clock.now()
    const isTaken = decide(clock.now())
    await clock.until(clock.now() + 1)
    counts.now--
    return isTaken ? say('accepted', 200) : say('rejected', 429)
  }
  return { ask, clock, counts }
}

const limits: Omit<RateProbeOptions, 'ask' | 'clock'> = {
  mostRequests: 10_000,
  mostMs: 360_000,
  parallel: 4,
  stopped: () => false
}

const bucket = () => target(tokenBucket({ limit: 20, windowMs: 1_000, phaseMs: 0 }))

describe('a probe', () => {
  test('finds a bucket', async () => {
    const { ask, clock, counts } = bucket()
    expect(await probeRate({ ...limits, ask, clock })).toMatchObject({
      algorithm: 'token-bucket',
      burst: 20,
      status: 429,
      because: 'after 20 at once, one every 50 ms from then on',
      repeats: '3/3'
    })
    expect(counts.atOnce).toBe(4)
  })

  test('finds a window of the clock, and tells how far it is', async () => {
    const told: string[] = []
    const { ask, clock } = target(fixedAligned({ limit: 60, windowMs: 60_000, phaseMs: 7_000 }))
    const limit = await probeRate({ ...limits, ask, clock, onProgress: (text) => told.push(text) })
    expect(limit).toMatchObject({ algorithm: 'fixed-window', anchor: 'clock', burst: 60 })
    expect(limit.windowMs).toBeGreaterThan(59_500)
    expect(limit.windowMs).toBeLessThan(60_500)
    expect(told.slice(0, 4)).toEqual([
      'refused after 60 at once',
      expect.stringMatching(/^refused for at least 5\d s after 60 at once: a long window/),
      expect.stringMatching(/^refused after 60 at once, then after 60 more, none for 5\d,\d00 ms/),
      expect.stringMatching(/: not decided so far, and may stay unclear without more time/)
    ])
  })

  test.each([0, 1, 50, 333])('asks no more than %i requests', async (mostRequests) => {
    const { ask, clock, counts } = bucket()
    const limit = await probeRate({ ...limits, ask, clock, mostRequests })
    expect(counts.asked).toBe(mostRequests)
    expect(limit.algorithm).toBe('unclear')
  })

  test('asks for no longer than it may', async () => {
    const { ask, clock, counts } = bucket()
    const limit = await probeRate({ ...limits, ask, clock, mostMs: 1_500 })
    expect(limit.algorithm).toBe('unclear')
    expect(limit.because).toMatch(
      /; not decided in \d+ ms: it has to be left alone for 2,.* next, and \d+ ms are left \(--time/
    )
    expect(counts.lastMs).toBeLessThanOrEqual(1_500)
  })

  test('bursts for no longer than it may', async () => {
    const { ask, clock, counts } = target(() => true)
    const limit = await probeRate({ ...limits, ask, clock, mostMs: 50 })
    expect(limit).toMatchObject({ algorithm: 'none', because: 'all 200 in 50 ms were accepted' })
    expect(counts.lastMs).toBeLessThan(50)
  })

  test('asks nothing where it is stopped from the start', async () => {
    const { ask, clock, counts } = bucket()
    await probeRate({ ...limits, ask, clock, stopped: () => true })
    expect(counts.asked).toBe(0)
  })

  test('asks no more once it is stopped', async () => {
    const { ask, clock, counts } = bucket()
    const limit = await probeRate({ ...limits, ask, clock, stopped: () => counts.asked >= 10 })
    expect(limit).toMatchObject({ algorithm: 'unclear', repeats: '0/0' })
    expect(limit.because).toMatch(/; stopped$/)
    expect(counts.asked).toBeLessThan(14)
  })

  test('waits no longer once it is stopped', async () => {
    const { ask, clock } = target(fixedAligned({ limit: 60, windowMs: 60_000, phaseMs: 7_000 }))
    const stopped = () => clock.now() >= 160_000
    const limit = await probeRate({ ...limits, ask, clock, stopped })
    const seen = 'refused after 60 at once, then after 60, 60 more, none for'
    expect(limit.because).toMatch(new RegExp(`^${seen} [\\d,]+ ms, [\\d,]+ ms between; `))
    expect(limit.because).toMatch(
      /; \d+ of \d+ were accepted in all, none in the last \d+ s; stopped$/
    )
    expect(clock.now()).toBeLessThanOrEqual(160_250)
  })

  test('says how much was accepted where there is no limit', async () => {
    const { ask, clock } = target(() => true)
    expect(await probeRate({ ...limits, ask, clock, mostRequests: 400 })).toMatchObject({
      algorithm: 'none',
      perSecond: 4_000,
      because: 'all 400 in 100 ms were accepted'
    })
  })
})

describe('a target that does not answer', () => {
  test('from the start', async () => {
    const { clock } = bucket()
    const ask = async () => say('unclear', 0, 'connection refused')
    expect(await probeRate({ ...limits, ask, clock })).toMatchObject({
      algorithm: 'unclear',
      because: expect.stringContaining('times in a row: connection refused')
    })
  })

  test('any more after a while', async () => {
    const { ask: askLiving, clock, counts } = bucket()
    const ask = () =>
      counts.asked < 200 ? askLiving() : Promise.resolve(say('unclear', 0, 'timeout'))
    const limit = await probeRate({ ...limits, ask, clock })
    expect(limit.algorithm).toBe('unclear')
    expect(limit.because).toContain('timeout')
  })

  test('now and then is forgiven', async () => {
    const { ask: askLiving, clock } = bucket()
    let nth = 0
    const ask = () => (++nth % 40 ? askLiving() : Promise.resolve(say('unclear', 0, 'timeout')))
    expect((await probeRate({ ...limits, ask, clock })).algorithm).toBe('token-bucket')
  })
})
