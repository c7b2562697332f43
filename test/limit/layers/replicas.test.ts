import { expect, test } from 'vitest'
import { accepted, rejected } from '../../../src/limit/answer.ts'
import { countAcross } from '../../../src/limit/layers/replicas.ts'
import { probeRate } from '../../../src/limit/rate-probe.ts'
import { fixedAnchored, type Limiter, slidingLog, tokenBucket } from '../rate-limiters.ts'
import { reply } from '../replies.ts'

const size = { limit: 20, windowMs: 2_000, phaseMs: 0 }

type Across = { tookMs?: number; isExact?: boolean }

/** Replicas that go by these limiters, a millisecond away, on a clock that nobody waits for. */
function across(limiters: readonly Limiter[], { tookMs = 1, isExact = true }: Across = {}) {
  let now = 0
  const clock = {
    now: () => now,
    async until(time: number) {
      now = Math.max(now, time)
    }
  }
  const stopped = () => false
  const replicas = limiters.map((decide, nth) => ({
    name: 'abc'[nth]!,
    async ask() {
      now += tookMs
      return decide(now) === true ? accepted(reply(200)) : rejected(reply(429))
    }
  }))
  return countAcross({
    ...{ replicas, level: 20, restMs: 2_000, isExact, clock, stopped },
    async levelOf(place) {
      const { ask } = replicas[place]!
      const most = { mostRequests: 20_000, mostMs: 120_000, parallel: 4 }
      const own = await probeRate({ ask, clock, stopped, ...most })
      if (own.algorithm === 'none') return 'none'
      if (own.burst === undefined) return { because: own.because }
      return { level: own.burst, restMs: own.windowMs! }
    }
  })
}

test('each that counts by itself lets as many through as one', async () => {
  const found = await across([1, 2, 3].map(() => fixedAnchored(size)))
  expect(found).toMatchObject({ counted: 'each', total: 60 })
  expect(found.because).toBe('each of 3 allows 20: 60 in all')
  const buckets = [1, 2].map(() => tokenBucket(size))
  expect(await across(buckets, { isExact: false })).toMatchObject({ counted: 'each', total: 40 })
})

test('who counts with whom is told where some do and others do not', async () => {
  const two = () => [fixedAnchored(size), fixedAnchored(size)] as const
  const [one, other] = two()
  const found = await across([one, one, other])
  expect(found).toMatchObject({ counted: 'groups', total: 40 })
  expect(found.because).toBe('a and b share 20, c allows 20: 40 in all')
  const [first, second] = two()
  const apart = await across([first, second, first])
  expect(apart.because).toBe('a and c share 20, b allows 20: 40 in all')
  const [both] = two()
  const less = await across([both, both, fixedAnchored({ ...size, limit: 13 })])
  expect(less.because).toBe('a and b share 20, c allows 13: 33 in all')
})

test('those that are not alike are told one by one', async () => {
  for (const [limit, windowMs] of [
    [30, 2_000],
    [21, 2_000],
    [13, 2_000],
    [30, 5_000],
    [20, 5_000]
  ] as const) {
    const other = { ...size, limit, windowMs }
    const found = await across([fixedAnchored(size), slidingLog(other)])
    const told =
      limit === 20 ? 'each of 2 allows 20: 40' : `a allows 20, b allows ${limit}: ${20 + limit}`
    expect(found).toMatchObject({ counted: 'each', total: 20 + limit, because: `${told} in all` })
  }
  const third = [size, size, { ...size, limit: 50 }].map(fixedAnchored)
  expect(await across(third)).toMatchObject({
    because: 'a allows 20, b allows 20, c allows 50: 90 in all'
  })
})

test('one without a limit has no share in a sum', async () => {
  const found = await across([fixedAnchored(size), () => true])
  expect(found).toMatchObject({ counted: 'each', because: 'a allows 20, b shows no limit' })
  expect(found.total).toBeUndefined()
})

test('one that never answers as usual is told, and no sum of it', async () => {
  const found = await across([fixedAnchored(size), () => false])
  expect(found).toMatchObject({ counted: 'unclear' })
  expect(found.because).toMatch(/^b takes 0, a 20; alone: /)
})

test('what one has taken the others do not where they count together', async () => {
  const shared = fixedAnchored(size)
  const found = await across([shared, shared, shared])
  expect(found).toMatchObject({ counted: 'shared', total: 20 })
  const bucket = tokenBucket(size)
  const two = await across([bucket, bucket], { isExact: false })
  expect(two).toMatchObject({ counted: 'shared', total: 20 })
})

test('nor where asking takes as long as a window', async () => {
  const found = await across(
    [1, 2, 3].map(() => fixedAnchored(size)),
    { tookMs: 20 }
  )
  expect(found).toMatchObject({ counted: 'unclear', because: expect.stringContaining('too slow') })
})
