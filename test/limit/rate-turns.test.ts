import { describe, expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { fixedAnchored, identify, jitter, tokenBucket } from './rate-limiters.ts'

const inThreeMinutes = { inFlight: 16, mostMs: 170_000, mostRequests: 20_000 }

describe('refusals that are of no limit on the rate are said to be so', () => {
  test.each([1, 2, 3])('where one in a hundred fails: seed %i', (seed) => {
    const next = random(seed)
    const way = { decide: () => next() > 0.01, latency: jitter(next, 0.7) }
    const { algorithm, because } = identify(way, inThreeMinutes)
    expect(algorithm).toBe('unclear')
    expect(because).toMatch(
      /^\d+ of [\d,]+ asked one after another were refused, and \d+ of .* does so$/
    )
  })

  test.each([1, 2, 3])('where what is too much is refused in part: seed %i', (seed) => {
    const next = random(seed)
    const window = fixedAnchored({ limit: 30, windowMs: 3_000, phaseMs: 0 })
    const decide = (ms: number) => window(ms) || next() > 0.6
    const { because } = identify({ decide, latency: jitter(next, 0.7) }, inThreeMinutes)
    expect(because).toMatch(/^[\d,]+ of [\d,]+ asked one after another were refused/)
  })

  test('where each four hundredth is', () => {
    let asked = 0
    const way = { decide: () => ++asked % 400 > 0, latency: jitter(random(1), 0.7) }
    const { because } = identify(way, inThreeMinutes)
    expect(because).toMatch(
      /^\d of 2,500 asked one after another were refused, and \d of 2,500 a third/
    )
  })

  test('where connections that stay are refused, and new ones are not', () => {
    let asked = 0
    const decide = () => ++asked > 0
    const way = { decide, latency: jitter(random(1), 0.7), isKeptRefused: () => asked > 90 }
    const found = identify(way, inThreeMinutes)
    expect(found).toMatchObject({ algorithm: 'unclear', status: 429 })
    expect(found.because).toMatch(/^refusals depend on the connection: /)
    expect(found.requests).toBeLessThan(200)
  })
})

test.each([
  [20, 157],
  [5, 40],
  [1, 90]
])(
  'a bucket of %i that gets %i a second is one, though it refuses by turns',
  (limit, perSecond) => {
    for (let seed = 0; seed < 4; seed++) {
      const decide = tokenBucket({ limit, windowMs: (1_000 * limit) / perSecond, phaseMs: 0 })
      const found = identify({ decide, latency: jitter(random(seed), 0.7) }, inThreeMinutes)
      expect(found).toMatchObject({ algorithm: 'token-bucket' })
      expect(Math.abs(found.perSecond! / perSecond - 1)).toBeLessThan(0.05)
    }
  }
)
