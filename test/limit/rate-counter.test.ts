import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { usedBefore } from './queued-windows.ts'
import { busy, identify, jitter, ownCounter, slidingCounter } from './rate-limiters.ts'

test.each([
  ['from the first request, as of HAProxy', ownCounter, 'first-request'],
  ['by the clock', slidingCounter, undefined]
])('a counter %s is told within two minutes, after some were used', (_, make, anchor) => {
  const sizes = [
    { limit: 24, windowMs: 4_000 },
    { limit: 9, windowMs: 2_300 },
    { limit: 50, windowMs: 3_100 }
  ]
  for (const [seed, size] of sizes.entries()) {
    const next = random(seed, `${anchor}`)
    const decide = usedBefore(make({ ...size, phaseMs: next() * size.windowMs }), 3)
    const latency = seed === 1 ? busy(next) : jitter(next, 0.5)
    const found = identify({ decide, latency }, { inFlight: 16 })
    expect(found).toMatchObject({ algorithm: 'sliding-counter', burst: size.limit })
    expect(Math.abs(found.windowMs! / size.windowMs - 1)).toBeLessThan(0.03)
    if (anchor) expect(found.because).toContain('after the first, then')
    expect(found.ms).toBeLessThan(120_000)
  }
})
