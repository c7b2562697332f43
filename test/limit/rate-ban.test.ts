import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { busy, fixedTicked, identify, jitter, windowBan } from './rate-limiters.ts'

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
