import { describe, expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import {
  busy,
  fixedAnchored,
  identify,
  jitter,
  ownCounter,
  ownCounterOfAll,
  slidingCounter,
  slidingCounterOfAll,
  slidingLog,
  slidingLogOfAll,
  tokenBucket
} from './rate-limiters.ts'

const counting = {
  slidingLogOfAll: { make: slidingLogOfAll, algorithm: 'sliding-log' },
  ownCounterOfAll: { make: ownCounterOfAll, algorithm: 'sliding-counter' },
  slidingCounterOfAll: { make: slidingCounterOfAll, algorithm: 'sliding-counter' }
}
const forgetting = { fixedAnchored, ownCounter, slidingCounter, slidingLog, tokenBucket }

function drawn(seed: number, name: string) {
  const next = random(seed, name)
  const limit = 7 + Math.floor(40 * next())
  const windowMs = 100 * (11 + Math.floor(30 * next()))
  return { next, limit, windowMs, phaseMs: windowMs * next() }
}

describe('a limiter that counts what it refused', () => {
  test.each(Object.entries(counting))('%s is told', (name, { make, algorithm }) => {
    let told = 0
    for (const seed of [1, 2]) {
      const { next, ...size } = drawn(seed, name)
      const way = { decide: make(size), latency: seed % 3 ? jitter(next, 1) : busy(next) }
      const found = identify(way, { inFlight: 16, mostMs: 115_000 })
      if (found.algorithm === 'unclear') continue
      told++
      expect(found).toMatchObject({ algorithm, burst: size.limit, countsRefused: true })
      expect(Math.abs(found.windowMs! / size.windowMs - 1)).toBeLessThan(0.03)
    }
    expect(told).toBe(2)
  })

  test.each(Object.entries(forgetting))('%s is none', (name, make) => {
    for (let seed = 0; seed < 3; seed++) {
      const { next, ...size } = drawn(seed, name)
      const way = { decide: make(size), latency: seed % 3 ? jitter(next, 1) : busy(next) }
      expect(identify(way, { inFlight: 16, mostMs: 115_000 }).countsRefused).toBeUndefined()
    }
  })
})
