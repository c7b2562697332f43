import { describe, expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { queuedLog, queuedWindow, strictLog, usedBefore } from './queued-windows.ts'
import { busy, identify, jitter, type Limiter, leakyQueue, stalled } from './rate-limiters.ts'

/** A machine that is quick, one that others keep busy, or one that stands still at times. */
function asked(decide: Limiter, name: string, seed: number) {
  const next = random(seed, name)
  const used = usedBefore(decide, 3)
  const ways = [
    { decide: used, latency: jitter(next, 0.7) },
    { decide: used, latency: busy(next) },
    { decide: stalled(used, next), latency: jitter(next, 0.7) }
  ]
  return identify(ways[seed % 3]!, { inFlight: 16, mostMs: 120_000 })
}

function sizeOf(name: string, seed: number) {
  const next = random(seed, `${name} size`)
  return { limit: 2 + Math.floor(40 * next()), windowMs: 100 * (5 + Math.floor(35 * next())) }
}

describe('a log that delays', () => {
  test.each([
    ['together', queuedLog, 5],
    ['one at a time', strictLog, 5]
  ] as const)('is told where it lets those through that wait %s', (name, log, mostUnclear) => {
    let unclear = 0
    for (let seed = 0; seed < 24; seed++) {
      const size = sizeOf(name, seed)
      const found = asked(log(size), name, seed)
      const said = `seed ${seed}, ${JSON.stringify(size)}: ${found.because}`
      if (found.algorithm === 'unclear') unclear++
      else {
        expect(found, said).toMatchObject({ algorithm: 'queued-log', burst: size.limit })
        expect(Math.abs(found.windowMs! / size.windowMs - 1), said).toBeLessThan(0.06)
      }
    }
    expect(unclear).toBeLessThanOrEqual(mostUnclear)
  })

  test('is what p-throttle is with 8 in 1,500 ms, strictly', () => {
    const found = asked(strictLog({ limit: 8, windowMs: 1_500 }), 'strict', 0)
    expect(found).toMatchObject({ algorithm: 'queued-log', burst: 8, repeats: '3/3' })
    expect(found.because).toMatch(/^8 at once, and no more than 8 in any 1,[45]\d0 ms: /)
  })

  test('says how many wait where it refuses others', () => {
    const found = asked(queuedLog({ limit: 20, windowMs: 1_500, queue: 17 }), 'queue', 0)
    expect(found).toMatchObject({ algorithm: 'queued-log', burst: 20, queue: 17, status: 429 })
  })

  test('is no window, and no queue of one at a time', () => {
    for (let seed = 0; seed < 9; seed++) {
      const size = sizeOf('window', seed)
      const window = asked(queuedWindow(size), 'window', seed)
      expect(['queued-window', 'unclear'], window.because).toContain(window.algorithm)
      const perSecond = 8 + 3 * seed
      const queue = asked(leakyQueue({ perSecond, free: seed, queue: seed + 12 }), 'queue', seed)
      expect(['leaky-queue', 'unclear'], queue.because).toContain(queue.algorithm)
    }
  })
})
