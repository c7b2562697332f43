import { expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { busy, identify, spaced } from './rate-limiters.ts'

test('a spacing is told to 3 % where answers take up to 100 ms more, or is unclear', () => {
  const offs = Array.from({ length: 40 }, (_, seed) => {
    const next = random(seed, 'spacing')
    const everyMs = 62 + 48 * next()
    const decide = spaced({ limit: 1, windowMs: everyMs, phaseMs: everyMs * next() })
    const found = identify({ decide, latency: busy(next) }, { mostMs: 120_000 })
    if (found.algorithm === 'unclear') return 'unclear'
    return Math.abs((found.perSecond! * everyMs) / 1_000 - 1)
  })
  const told = offs.filter((off) => off !== 'unclear')
  expect(Math.max(...told)).toBeLessThan(0.03)
  expect(told.length).toBeGreaterThanOrEqual(20)
})
