import { describe, expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import {
  busy,
  fixedAligned,
  fixedAnchored,
  fixedTicked,
  identify,
  jitter,
  type Limiter,
  ownCounter,
  type Size,
  slidingCounter,
  slidingLog,
  stalled,
  tickedBucket,
  tokenBucket
} from './rate-limiters.ts'

const kinds = {
  ...{ fixedAligned, fixedAnchored, slidingLog, slidingCounter, ownCounter },
  ...{ tokenBucket, tickedBucket }
}
type Name = keyof typeof kinds

const algorithms: Record<Name, string> = {
  fixedAligned: 'fixed-window',
  fixedAnchored: 'fixed-window',
  slidingLog: 'sliding-log',
  slidingCounter: 'sliding-counter',
  ownCounter: 'sliding-counter',
  tokenBucket: 'token-bucket',
  tickedBucket: 'token-bucket'
}

/** How much of what is asked within two minutes may stay unclear, of 60. */
const mostUnclear: Partial<Record<Name, number>> = {
  slidingCounter: 4,
  ownCounter: 8,
  tokenBucket: 6,
  tickedBucket: 8
}

describe('where others keep the processors busy nothing is told wrongly', () => {
  test.each(Object.keys(kinds) as Name[])('%s', (name) => {
    let unclear = 0
    for (let seed = 0; seed < 60; seed++) {
      const next = random(seed, name)
      const between = (least: number, most: number) =>
        least + Math.floor(next() * (most - least + 1))
      const isBucket = name.endsWith('Bucket')
      const limit = isBucket ? between(4, 41) : between(7, 60)
      const windowMs = isBucket ? (1_000 * limit) / between(3, 40) : 100 * between(11, 50)
      const decide = kinds[name]({ limit, windowMs, phaseMs: next() * windowMs })
      const found = identify({ decide, latency: busy(next) }, { mostMs: 115_000 })
      const { algorithm, burst, perSecond } = found
      // Of a bucket that gives back much meanwhile it is said how much it may be that it holds.
      if (algorithm === 'unclear' || burst === undefined) unclear++
      if (algorithm === 'unclear') continue
      const off = Math.abs((perSecond! * windowMs) / 1_000 / limit - 1)
      const told = { algorithm, burst: burst ?? limit, isClose: off < 0.03 }
      expect(told, `seed ${seed}`).toEqual({
        algorithm: algorithms[name],
        burst: limit,
        isClose: true
      })
    }
    expect(unclear).toBeLessThanOrEqual(mostUnclear[name] ?? 0)
  })
})

test('where a bucket gives back much while it is emptied, its size is a range', () => {
  const found = Array.from({ length: 20 }, (_, seed) =>
    identify(
      {
        decide: tokenBucket({ limit: 100, windowMs: 1_000, phaseMs: 0 }),
        latency: busy(random(seed))
      },
      { inFlight: 32, mostMs: 115_000 }
    )
  )
  const vague = found.filter(({ algorithm, burst }) => algorithm !== 'unclear' && !burst)
  expect(vague.length).toBeGreaterThan(0)
  for (const { because, perSecond } of vague) {
    const [, least, most] = because.match(/^after ([\d,]+) to ([\d,]+) at once, one every/)!
    expect(Number(least)).toBeLessThanOrEqual(100)
    expect(Number(most)).toBeGreaterThanOrEqual(100)
    expect(Math.abs(perSecond! / 100 - 1)).toBeLessThan(0.03)
  }
})

test('a window by a clock of whole seconds is told, where a machine stands still at times', () => {
  for (let seed = 0; seed < 12; seed++) {
    const next = random(seed)
    const [limit, windowMs] = [6 + Math.floor(54 * next()), 1_000 * (2 + Math.floor(4 * next()))]
    const decide = stalled(fixedTicked({ limit, windowMs, phaseMs: 1_000 * next() }), next)
    const found = identify({ decide, latency: jitter(next, 1) }, { inFlight: 16, mostMs: 118_000 })
    expect(found).toMatchObject({ algorithm: 'fixed-window', burst: limit })
    // By chance all trials may begin alike in a second, which looks like any window.
    expect(Math.abs(found.windowMs! - windowMs + 500)).toBeLessThan(510)
    expect(found.repeats).toMatch(/^([4-9])\/\1$|^3\//)
  }
})

test('a limit on bytes of answers of any size is no number of requests', () => {
  // Of a hundred seeds these are two where enough trials agree by chance, and two that are usual.
  for (const seed of [1, 2, 37, 63]) {
    const next = random(seed, 'bytes')
    const windowMs = 2_000 + 3_000 * next()
    const size = { limit: 10_000 + 40_000 * next(), windowMs, phaseMs: windowMs * next() }
    const decide = byBytes(size, () => 500 + 3_000 * next())
    const found = identify({ decide, latency: jitter(next, 1) }, { inFlight: 16, mostMs: 174_000 })
    expect(found).toMatchObject({ algorithm: 'unclear' })
  }
})

/** Answers for as long as there are bytes left in a window of the clock, each of another size. */
function byBytes({ limit, windowMs, phaseMs }: Size, bytes: () => number): Limiter {
  let [window, taken] = [Number.NaN, 0]
  return (ms) => {
    const current = Math.floor((ms + phaseMs) / windowMs)
    if (current !== window) [window, taken] = [current, 0]
    if (taken >= limit) return false
    taken += bytes()
    return true
  }
}
