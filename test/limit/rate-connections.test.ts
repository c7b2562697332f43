import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { busy, fixedAnchored, identify, jitter, slidingLog, tokenBucket } from './rate-limiters.ts'

test.each([1, 2, 5, 9, 14, 15])('a target that has %i connections open at most', (most) => {
  for (const [nth, latency] of [busy, (next: () => number) => jitter(next, 2)].entries()) {
    const way = {
      decide: () => true,
      latency: latency(random(nth)),
      connections: { most, made: [] }
    }
    const found = identify(way, { inFlight: 16, mostMs: 120_000 })
    expect(found).toMatchObject({ algorithm: 'in-flight', status: 429, repeats: '2/2' })
    expect(found.because).toMatch(
      /^refusals depend on how many connections are open, idle ones too/
    )
    expect(found.ms).toBeLessThan(15_000)
  }
})

test.each([700, 1_000, 1_400])(
  'what is back after %i ms is no limit on connections',
  (windowMs) => {
    for (const make of [fixedAnchored, slidingLog, tokenBucket]) {
      const decide = make({ limit: 6, windowMs, phaseMs: 0 })
      const found = identify({ decide, latency: jitter(random(windowMs), 0.5) }, { inFlight: 16 })
      expect(found.algorithm).not.toBe('in-flight')
      expect(found.burst).toBe(6)
    }
  }
)
