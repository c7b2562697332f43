import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { fixedAligned, identify, jitter, type Limiter, type Size } from './rate-limiters.ts'

/** A window by the clock which keeps what was not used, up to as many again. */
function carrying({ limit, windowMs, phaseMs }: Size): Limiter {
  let [window, left] = [0, 0]
  return (ms) => {
    const now = Math.floor((ms - phaseMs) / windowMs)
    if (now > window) left = Math.min(2 * limit, left + limit * (now - window))
    window = now
    if (left < 1) return false
    left--
    return true
  }
}

test('a window that carries over what is not used is not told as one that does not', () => {
  for (let seed = 0; seed < 8; seed++) {
    const next = random(seed, 'carried')
    const size = {
      limit: 8 + Math.floor(12 * next()),
      windowMs: 1_000 + 3_000 * next(),
      phaseMs: 900 * next()
    }
    const asked = (decide: Limiter) => {
      return identify({ decide, latency: jitter(next, 0.7) }, { mostMs: 120_000 })
    }
    const found = asked(carrying(size))
    expect(found.algorithm, `${JSON.stringify(size)} ${found.because}`).toBe('unclear')
    expect(asked(fixedAligned(size)).algorithm).toBe('fixed-window')
  }
})
