import { describe, expect, test } from 'vitest'
import { type Random, random } from '../../src/random.ts'
import { fixedAnchored, identify, jitter, slidingLog, tokenBucket } from './rate-limiters.ts'

/** How many bytes, in how long a window, and what draws how much an answer weighs. */
type Bytes = { most: number; windowMs: number; draw: () => number }

/** Answers for as long as there are bytes left, each of another size. */
const byBytes = {
  window({ most, windowMs, draw }: Bytes) {
    let [start, taken, last] = [Number.NEGATIVE_INFINITY, 0, 0]
    const decide = (ms: number) => {
      if (ms >= start + windowMs) [start, taken] = [ms, 0]
      if (taken >= most) return false
      taken += last = draw()
      return true
    }
    return { decide, weigh: () => last }
  },
  log({ most, windowMs, draw }: Bytes) {
    let taken: { ms: number; bytes: number }[] = []
    const decide = (ms: number) => {
      taken = taken.filter((one) => one.ms > ms - windowMs)
      if (taken.reduce((sum, { bytes }) => sum + bytes, 0) >= most) return false
      taken.push({ ms, bytes: draw() })
      return true
    }
    return { decide, weigh: () => taken.at(-1)!.bytes }
  },
  bucket({ most, windowMs, draw }: Bytes) {
    let [left, then, last] = [most, 0, 0]
    const decide = (ms: number) => {
      left = Math.min(most, left + ((ms - then) * most) / windowMs)
      then = ms
      if (left <= 0) return false
      left -= last = draw()
      return true
    }
    return { decide, weigh: () => last }
  }
}

function drawn(next: Random): Bytes {
  const least = 100 + 900 * next()
  const most = least * (1.8 + 5 * next() ** 2)
  const draw = () => Math.round(least + (most - least) * next())
  return { draw, windowMs: 2_000 + 3_000 * next(), most: ((12 + 40 * next()) * (least + most)) / 2 }
}

describe('what is counted in bytes is no number of requests', () => {
  test.each(Object.keys(byBytes) as (keyof typeof byBytes)[])('by a %s', (name) => {
    let told = 0
    for (let seed = 0; seed < 20; seed++) {
      const next = random(seed, name)
      const way = { ...byBytes[name](drawn(next)), latency: jitter(next, 1) }
      const found = identify(way, { inFlight: 16, mostMs: 174_000 })
      // Of a bucket it may be how many that it holds which is not known.
      expect(found.burst, `seed ${seed}: ${found.because}`).toBeUndefined()
      if (/answers weigh [\d,]+ to [\d,]+ bytes/.test(found.because)) told++
    }
    expect(told).toBeGreaterThan(16)
  })
})

test('what is counted in requests is, whatever answers weigh', () => {
  const size = { limit: 24, windowMs: 2_600, phaseMs: 0 }
  const makes = { 'fixed-window': fixedAnchored, 'sliding-log': slidingLog }
  for (const [algorithm, make] of Object.entries({ ...makes, 'token-bucket': tokenBucket })) {
    for (let seed = 0; seed < 4; seed++) {
      const next = random(seed, algorithm)
      const weigh = () => Math.round(500 + 4_000 * next())
      const way = { decide: make(size), latency: jitter(next, 1), weigh }
      const found = identify(way, { inFlight: 16, mostMs: 120_000 })
      expect(found, `seed ${seed}`).toMatchObject({ algorithm, burst: 24 })
    }
  }
})
