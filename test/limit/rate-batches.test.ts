import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { queuedBoth, queuedClock, queuedWindow } from './queued-windows.ts'
import { busy, identify, jitter, type Limiter, stalled } from './rate-limiters.ts'

const kinds = { queuedWindow, queuedClock, queuedBoth }

test.each(Object.keys(kinds) as (keyof typeof kinds)[])(
  'a window that delays is told with how many it takes and how long it is: %s',
  (name) => {
    let unclear = 0
    for (let seed = 0; seed < 24; seed++) {
      const next = random(seed, name)
      const limit = 3 + Math.floor(58 * next())
      const windowMs = 100 * (5 + Math.floor(40 * next()))
      const decide = kinds[name]({ limit, windowMs, phaseMs: next() * windowMs })
      // A machine that is quick, one that others keep busy, and one that stands still at times.
      const ways = [
        { decide, latency: jitter(next, 0.7) },
        { decide, latency: busy(next) },
        { decide: stalled(decide, next), latency: jitter(next, 0.7) }
      ]
      const found = identify(ways[seed % 3]!, { inFlight: 16, mostMs: 120_000 })
      if (found.algorithm === 'unclear') unclear++
      else {
        expect(found, `seed ${seed}`).toMatchObject({ algorithm: 'queued-window', burst: limit })
        expect(Math.abs(found.windowMs! / windowMs - 1), `seed ${seed}`).toBeLessThan(0.03)
      }
    }
    expect(unclear).toBeLessThanOrEqual(3)
  }
)

test('one that refuses whom it does not let wait is told with how many wait', () => {
  for (let seed = 0; seed < 4; seed++) {
    const decide = queuedWindow({ limit: 20, windowMs: 1_500, queue: 17 })
    const found = identify({ decide, latency: jitter(random(seed), 0.7) }, { inFlight: 16 })
    expect(found).toMatchObject({ algorithm: 'queued-window', burst: 20, queue: 17, status: 429 })
    expect(found.because).toMatch(/^20 at once, then 20 together every 1,[45]\d0 ms from the first/)
  }
})

test('who works on few at a time has no window', () => {
  const free = Array.from({ length: 6 }, () => 0)
  const pool: Limiter = (ms) => {
    const nth = free.indexOf(Math.min(...free))
    free[nth] = Math.max(ms, free[nth]!) + 150
    return free[nth]! - ms
  }
  expect(identify({ decide: pool, latency: () => 0.4 }, { inFlight: 16 }).algorithm).toBe('unclear')
})
