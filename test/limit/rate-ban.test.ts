import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { lengthenedBan } from './bans.ts'
import {
  ban,
  busy,
  fixedTicked,
  identify,
  jitter,
  type Limiter,
  type Size,
  slidingLog,
  windowBan
} from './rate-limiters.ts'

/** A log that bans, for longer each time, up to so many ms; after peace as at first, if ever. */
function growingBan({
  firstMs,
  mostMs,
  isForgiving,
  ...size
}: Omit<Size, 'phaseMs'> & { firstMs: number; mostMs: number; isForgiving: boolean }): Limiter {
  const anew = () => slidingLog({ ...size, phaseMs: 0 })
  let [decide, banMs, until] = [anew(), firstMs, Number.NEGATIVE_INFINITY]
  return (ms) => {
    if (ms < until) return false
    if (isForgiving && ms > until + 3 * mostMs) banMs = firstMs
    if (decide(ms)) return true
    until = ms + banMs
    banMs = Math.min(mostMs, 2 * banMs)
    decide = anew()
    return false
  }
}

test('a ban is told though its window is half as long', () => {
  for (let seed = 0; seed < 6; seed++) {
    const [limit, windowMs, banMs] = [12 + seed, 1_700 + 100 * seed, 4_300]
    const latency = jitter(random(seed), 0.5)
    const decide = windowBan({ limit, windowMs, banMs })
    const found = identify({ decide, latency }, { inFlight: 16, mostMs: 120_000 })
    expect(found).toMatchObject({ algorithm: 'ban', burst: limit })
    expect(Math.abs(found.banMs! / banMs - 1)).toBeLessThan(0.03)
  }
})

test('a window by a clock of whole seconds is none', () => {
  for (let seed = 0; seed < 12; seed++) {
    const decide = fixedTicked({ limit: 25, windowMs: 5_000, phaseMs: 83 * seed })
    const found = identify({ decide, latency: busy(random(seed)) }, { mostMs: 120_000 })
    expect(found.algorithm).not.toBe('ban')
  }
})

test('one that grows is not told as one of the length it has come to', () => {
  for (let seed = 0; seed < 8; seed++) {
    const next = random(seed, 'growing')
    const firstMs = 600 + 900 * next()
    const size = { limit: 5 + Math.floor(20 * next()), windowMs: 2_000 }
    const grown = { firstMs, mostMs: firstMs * (seed % 3 === 0 ? 8 : 4), isForgiving: seed % 4 < 2 }
    const latency = seed % 2 === 0 ? jitter(next, 1) : busy(next)
    const decide = growingBan({ ...size, ...grown })
    const found = identify({ decide, latency }, { inFlight: 16, mostMs: 174_000 })
    expect(found.algorithm).toBe('unclear')
    expect(found.because).toContain('grows when it is met again')
  }
})

test('one that is always as long is told, on a busy machine as well', () => {
  for (let seed = 0; seed < 8; seed++) {
    const next = random(seed, 'steady')
    const [limit, banMs] = [5 + Math.floor(20 * next()), 1_500 + 4_000 * next()]
    const decide = ban({ limit, banMs, renews: false })
    const found = identify({ decide, latency: busy(next) }, { inFlight: 16, mostMs: 174_000 })
    expect(found).toMatchObject({ algorithm: 'ban', burst: limit })
  }
})

test('one that grows by each that it refuses is no ban that asking renews', () => {
  for (let seed = 0; seed < 24; seed++) {
    const next = random(seed, 'lengthened')
    const limit = 6 + Math.floor(20 * next())
    const decide = lengthenedBan({ limit, byMs: 20 + 130 * next() })
    const found = identify(
      { decide, latency: jitter(next, 0.5) },
      { inFlight: 16, mostMs: 120_000 }
    )
    expect(found.algorithm, `seed ${seed}: ${found.because}`).toBe('unclear')
  }
})
