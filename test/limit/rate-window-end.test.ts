import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { bucketAndWindow, fixedAnchored, identify, jitter } from './rate-limiters.ts'

const sizes = [
  { limit: 5, windowMs: 1_000 },
  { limit: 11, windowMs: 1_700 },
  { limit: 40, windowMs: 4_000 }
] as const

test.each(sizes)('a bucket beside a window is told from that alone: %o', ({ limit, windowMs }) => {
  const size = { limit, windowMs, phaseMs: 0 }
  const latency = jitter(random(limit), 0.7)
  const both = identify({ decide: bucketAndWindow(size), latency })
  expect(both).toMatchObject({ algorithm: 'stacked', burst: limit })
  expect(both.behind).toMatchObject({ algorithm: 'fixed-window', burst: limit })
  expect(both.behind!.windowMs! / windowMs).toBeCloseTo(1, 1)
  expect(both.because).toContain('used up just before its end')

  const alone = identify({ decide: fixedAnchored(size), latency })
  expect(alone).toMatchObject({ algorithm: 'fixed-window', burst: limit, repeats: '3/3' })
})

test('a window that gives some back late and no bucket does so is named neither', () => {
  const decide = fixedAnchored({ limit: 20, windowMs: 2_000, phaseMs: 0 })
  const recent: number[] = []
  // Within 400 ms it lets through no more than 25, whatever window they belong to.
  const odd = (ms: number) => {
    while (recent.length > 0 && recent[0]! < ms - 400) recent.shift()
    return recent.length < 25 && decide(ms) && recent.push(ms) > 0
  }
  const found = identify({ decide: odd, latency: jitter(random(3), 0.7) })
  expect(found.algorithm).toBe('unclear')
  expect(found.because).toContain('there is another limit beside it')
})
