import { expect, test } from 'vitest'
import { connected } from '../../src/limit/rate-concurrency.ts'
import type { RateLimit } from '../../src/limit/rate-limit.ts'
import { createAsking, type RateQuestion, type Sighting } from '../../src/limit/rate-question.ts'
import { random } from '../../src/random.ts'
import { identify, tokenBucket } from './rate-limiters.ts'

const found: RateLimit = {
  ...{ algorithm: 'token-bucket', burst: 6, perSecond: 2, because: 'so it seemed', repeats: '3/3' }
}

/** What is said of a target that takes of each question what `takes` says, a ms after another. */
function said(takes: (question: RateQuestion, nth: number) => number) {
  // It was refused before, or there were no limit to look into.
  const asking = createAsking(10)
  asking.status = 503
  const questions = connected(asking, found)
  const asked: RateQuestion[] = []
  let now = 0
  let next = questions.next()
  while (!next.done) {
    const question = next.value
    const taken = Math.min(question.most, takes(question, asked.length))
    asked.push(question)
    now = Math.max(now, question.at)
    const seen = Array.from({ length: Math.min(question.most, taken + 1) }, (_, nth): Sighting => {
      const [kind, status] =
        nth < taken ? (['accepted', 200] as const) : (['rejected', 503] as const)
      return { kind, status, sent: now++, answered: now }
    })
    next = questions.next(seen)
  }
  return { limit: next.value, asked }
}

test('connections that stay are counted where those that are closed are all taken', () => {
  const { limit, asked } = said(({ isApart }) => (isApart ? 1_000 : 6))
  expect(limit).toMatchObject({ algorithm: 'in-flight', status: 503, repeats: '2/2' })
  const manner = asked.map(({ isApart, inFlight }) => ({ isApart, inFlight }))
  const [apart, again] = [
    { isApart: true, inFlight: 1 },
    { isApart: false, inFlight: 10 }
  ]
  expect(manner).toEqual([apart, again, apart, again])
})

test.each([
  ['refuses those apart as well', () => 6],
  ['refuses nobody any more', () => 1_000],
  ['refuses those apart the second time', (_: RateQuestion, nth: number) => (nth === 0 ? 1_000 : 6)]
] as const)('a target that %s counts no connections', (_, takes) => {
  expect(said(takes).limit).toBeUndefined()
})

test('a bucket that fills faster than one alone asks is no limit on those in flight', () => {
  for (let seed = 0; seed < 4; seed++) {
    const next = random(seed)
    const decide = tokenBucket({ limit: 13, windowMs: 13_000 / 7, phaseMs: 0 })
    const found = identify({ decide, latency: () => 25 + 225 * next() }, { inFlight: 16 })
    expect(found.because).not.toContain('in flight')
    expect(found.algorithm).toMatch(/^(token-bucket|unclear)$/)
    if (found.perSecond) expect(Math.abs(found.perSecond / 7 - 1)).toBeLessThan(0.03)
  }
})

test('a bucket faster than one after another is none of how many are in flight', () => {
  const decide = tokenBucket({ limit: 50, windowMs: 1_000 / 12, phaseMs: 0 })
  let until = 0
  // As a machine that works on one at a time, and takes much longer for one alone.
  const busy = (ms: number) => {
    const isAlone = ms > until + 1
    until = Math.max(ms, until) + (isAlone ? 8 : 1.4)
    return decide(ms) && until - ms
  }
  const { algorithm, because } = identify(
    { decide: busy, latency: () => 1.5 },
    { inFlight: 64, mostMs: 120_000 }
  )
  expect(algorithm).toBe('unclear')
  expect(because).not.toMatch(/^refusals depend on how many are in flight/)
})
