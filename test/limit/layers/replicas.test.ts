import { expect, test } from 'vitest'
import { accepted, rejected } from '../../../src/limit/answer.ts'
import { countAcross } from '../../../src/limit/layers/replicas.ts'
import { fixedAnchored, type Limiter, tokenBucket } from '../rate-limiters.ts'
import { reply } from '../replies.ts'

const size = { limit: 20, windowMs: 2_000, phaseMs: 0 }

/** Replicas that go by these limiters, a millisecond away, on a clock that nobody waits for. */
function across(limiters: readonly Limiter[], tookMs = 1) {
  let now = 0
  const clock = {
    now: () => now,
    async until(time: number) {
      now = Math.max(now, time)
    }
  }
  const replicas = limiters.map((decide) => async () => {
    now += tookMs
    return decide(now) ? accepted(reply(200)) : rejected(reply(429))
  })
  return countAcross({ replicas, level: 20, restMs: 2_000, clock, stopped: () => false })
}

test('each that counts by itself lets as many through as one', async () => {
  const found = await across([1, 2, 3].map(() => fixedAnchored(size)))
  expect(found).toMatchObject({ counted: 'each', total: 60 })
  expect(found.because).toBe('each of 3 allows 20: 60 in all')
  expect(await across([1, 2].map(() => tokenBucket(size)))).toMatchObject({ counted: 'each' })
})

test('what one has taken the others do not where they count together', async () => {
  const shared = fixedAnchored(size)
  const found = await across([shared, shared, shared])
  expect(found).toMatchObject({ counted: 'shared', total: 20 })
  const bucket = tokenBucket(size)
  expect(await across([bucket, bucket])).toMatchObject({ counted: 'shared', total: 20 })
})

test('neither is said of two that count together beside one that does not', async () => {
  const shared = fixedAnchored(size)
  const found = await across([shared, shared, fixedAnchored(size)])
  expect(found).toMatchObject({ counted: 'unclear', because: expect.stringContaining('20, 0, 20') })
})

test('nor where asking takes as long as a window', async () => {
  const found = await across(
    [1, 2, 3].map(() => fixedAnchored(size)),
    20
  )
  expect(found).toMatchObject({ counted: 'unclear', because: expect.stringContaining('too slow') })
})
