import { describe, expect, test } from 'vitest'
import { findBaseline } from '../../src/limit/baseline.ts'
import type { RateLimit } from '../../src/limit/rate-limit.ts'
import { probeVariedRate } from '../../src/limit/rate-varied.ts'
import { type Random, random } from '../../src/random.ts'
import { fixedAnchored, type Limiter, slidingLog, tokenBucket } from './rate-limiters.ts'
import { reply } from './replies.ts'
import { virtualClock } from './virtual-clock.ts'

/** What is answered to the nth question, `ms` after the start, on one of the connections kept. */
type Answers = (asked: { nth: number; ms: number; isApart: boolean }) => string

const html = (text: string) => ({ body: text, headers: { 'content-type': 'text/html' } })

async function probed(answers: Answers, mostRequests = 2_000): Promise<RateLimit> {
  const clock = virtualClock()
  let nth = 0
  const ask = async (isApart: boolean) => {
    const body = answers({ nth: nth++, ms: clock.now(), isApart })
    await clock.until(clock.now() + 4)
    const json = body.startsWith('{') ? JSON.parse(body) : undefined
    return reply(200, { ...html(body), json, received: body.length })
  }
  const baseline = await findBaseline(() => ask(false))
  if (typeof baseline === 'string') throw new Error(baseline)
  return probeVariedRate({
    ...{ ask, baseline, clock, mostRequests, mostMs: 120_000, parallel: 16 },
    stopped: () => false
  })
}

const letters = 'abcdefghijklmnopqrstuvwxyz'

/** A page of so many letters, no two alike. */
function page(bytes: number, next: Random, title = 'Shop'): string {
  const text = Array.from({ length: 12 }, () => letters[Math.floor(26 * next())]).join('')
  return `<html><title>${title}</title>${text.padEnd(Math.floor(bytes), text)}`
}

describe.each([1, 2, 3])('answers that differ each time, seed %i', (seed) => {
  const next = random(seed)
  const size = () => 2_000 + 2_000 * next()
  const soft = (decide: Limiter, refusal: () => string): Answers => {
    return ({ ms }) => (decide(ms) === true ? page(size(), next) : refusal())
  }
  const limit = 15 + Math.floor(20 * next())
  const windowMs = 2_000 + 2_000 * next()
  const of = { limit, windowMs, phaseMs: 0 }
  const captcha = () => page(50, next)
  const titled = () => page(size(), next, 'Are you human?')

  test.each([
    ['sliding-log', slidingLog(of), captcha],
    ['fixed-window', fixedAnchored(of), titled],
    ['token-bucket', tokenBucket(of), captcha]
  ] as const)('a soft refusal of another size or title is found: %s', async (kind, decide, odd) => {
    const found = await probed(soft(decide, odd), 10_000)
    expect(found).toMatchObject({ algorithm: kind, burst: limit, status: 200 })
    expect(found.windowMs! / windowMs).toBeCloseTo(1, 1)
  })

  test.each<[string, Answers]>([
    ['of one range', () => page(size(), next)],
    ['of any size', () => page(4_000 * next() ** 3, next)],
    ['of two sorts', () => (next() < 0.1 ? page(90, next, 'B') : page(size(), next))],
    ['of two sorts, half each', () => (next() < 0.5 ? page(90, next, 'B') : page(size(), next))],
    ['a list that grows', ({ nth }) => page(100 + 2 * nth, next)],
    ['a list that is emptied', ({ nth }) => page(100 + 10 * (nth % 400), next)],
    ['an error now and then', () => (next() < 0.02 ? page(20, next, 'Oops') : page(size(), next))],
    ['a first answer that is long', ({ nth }) => page(nth < 2 ? 20_000 : size(), next)],
    ['by connection', ({ isApart, nth }) => page(isApart || nth % 16 > 0 ? 90 : size(), next)]
  ])('honest answers show no limit: %s', async (_, answers) => {
    expect((await probed(answers)).algorithm).toBe('none')
  })
})

test('answers that turn for good are told, and are no limit', async () => {
  const next = random(7)
  const found = await probed(({ nth }) => page(nth < 300 ? 3_000 + 500 * next() : 80, next))
  expect(found).toMatchObject({
    algorithm: 'unclear',
    because: expect.stringMatching(/^after 297/)
  })
})

test('answers that turn by the clock, and not by what is asked, are no limit', async () => {
  const next = random(8)
  const found = await probed(({ ms }) => page(ms % 7_000 < 1_000 ? 3_000 : 80, next))
  expect(found.algorithm).toBe('none')
})
