import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { busy, identify, jitter, type Limiter, stacked, tokenBucket } from './rate-limiters.ts'

type Zone = { perSecond: number; size: number }

/** Zones of nginx: a request counts in all of them, where none refuses it, and else in none. */
function zones(...all: Zone[]): Limiter {
  const states = all.map((zone) => ({ ...zone, excess: 0, at: Number.NaN }))
  return (time) => {
    const ms = Math.floor(time)
    const next = states.map(({ perSecond, excess, at }) => {
      return Number.isNaN(at) ? 0 : Math.max(0, excess - ((ms - at) * perSecond) / 1_000 + 1)
    })
    if (next.some((excess, nth) => excess > states[nth]!.size - 1)) return false
    for (const [nth, state] of states.entries()) Object.assign(state, { excess: next[nth], at: ms })
    return true
  }
}

test.each([
  ['10 a second of 11 before 2 of 61', { perSecond: 10, size: 11 }, { perSecond: 2, size: 61 }],
  ['20 a second of 8 before 4 of 40', { perSecond: 20, size: 8 }, { perSecond: 4, size: 40 }],
  ['6 a second of 15 before 1.5 of 35', { perSecond: 6, size: 15 }, { perSecond: 1.5, size: 35 }]
])('of two zones of nginx both sizes and rates are told: %s', (_, inner, outer) => {
  for (let seed = 0; seed < 4; seed++) {
    const latency = seed % 2 === 0 ? jitter(random(seed), 0.5) : busy(random(seed))
    const found = identify({ decide: zones(inner, outer), latency }, { inFlight: 16 })
    expect(found).toMatchObject({
      ...{ algorithm: 'stacked', burst: inner.size },
      behind: { algorithm: 'token-bucket', burst: outer.size }
    })
    expect(Math.abs(found.perSecond! / inner.perSecond - 1)).toBeLessThan(0.02)
    expect(Math.abs(found.behind!.perSecond! / outer.perSecond - 1)).toBeLessThan(0.02)
    expect(found.ms).toBeLessThan(120_000)
  }
})

test('of three zones of nginx none is told as two', () => {
  const [first, second, third] = [
    { perSecond: 10, size: 11 },
    { perSecond: 4, size: 31 },
    { perSecond: 2, size: 61 }
  ]
  for (let seed = 0; seed < 6; seed++) {
    const latency = seed % 2 === 0 ? jitter(random(seed), 0.5) : busy(random(seed))
    const found = identify({ decide: zones(first!, second!, third!), latency }, { inFlight: 16 })
    expect(found.algorithm, found.because).toBe('unclear')
    expect(found.because).toMatch(/there is a third behind$/)
  }
})

test('whoever keeps below a pace between those of two buckets is refused too often', () => {
  const bucket = (limit: number, perSecond: number) => {
    return tokenBucket({ limit, windowMs: (1_000 * limit) / perSecond, phaseMs: 0 })
  }
  for (let seed = 0; seed < 4; seed++) {
    const decide = stacked(bucket(32, 31), bucket(51, 14.8))
    const { algorithm } = identify({ decide, latency: busy(random(seed)) }, { inFlight: 16 })
    expect(algorithm).not.toBe('token-bucket')
  }
})
