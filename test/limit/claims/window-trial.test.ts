import { expect, test } from 'vitest'
import { against } from '../../../src/limit/baseline.ts'
import { holdClaims } from '../../../src/limit/claims/hold-claims.ts'
import {
  fixedAligned,
  fixedAnchored,
  fixedTicked,
  type Limiter,
  ownCounter,
  type Size,
  slidingCounter,
  slidingCounterOfAll,
  slidingLog,
  slidingLogOfAll,
  spaced,
  tickedBucket,
  tokenBucket,
  windowBan
} from '../rate-limiters.ts'
import { reply } from '../replies.ts'

const baseline = { status: 200, slowestMs: 1, form: '[["ok","boolean"]]' }

/** What is said of the policy of a limiter that says `said`, and for how long to wait or not. */
async function policyOf(decide: Limiter, said: string, retryAfter?: number) {
  let now = 1_700_000_000_000
  const clock = {
    now: () => now,
    async until(time: number) {
      now = Math.max(now, time)
    }
  }
  const ask = async () => {
    now += 2
    const isTaken = decide(now) === true
    const headers = {
      'ratelimit-policy': said,
      ...(!isTaken && retryAfter !== undefined && { 'retry-after': String(retryAfter) })
    }
    return reply(isTaken ? 200 : 429, { headers, json: isTaken ? { ok: true } : {} })
  }
  const judge = (one: ReturnType<typeof reply>) =>
    against(one, baseline, { crowding: [], isSame: true })
  const most = { mostRequests: 2_000, mostWaitMs: 60_000 }
  const { findings } = await holdClaims({ ask, judge, clock, stopped: () => false, ...most })
  return findings.find(({ field }) => field === 'RateLimit-Policy')!
}

const windowed = { fixedAligned, fixedAnchored, slidingLog, slidingCounter, ownCounter }
const honest = {
  ...windowed,
  ...{ fixedTicked, slidingLogOfAll, slidingCounterOfAll, tokenBucket, tickedBucket },
  spaced: (size: Size) => spaced({ ...size, limit: 1 }),
  banned: (size: Size) => windowBan({ ...size, banMs: 2.5 * size.windowMs })
}

test.each(Object.entries(honest))('the window of %s is not called false', async (name, limiter) => {
  for (const limit of name === 'spaced' ? [1] : [5, 20]) {
    for (const phaseMs of [0, 900, 3_700]) {
      for (const retryAfter of [undefined, 1, 4]) {
        const decide = limiter({ limit, windowMs: 4_000, phaseMs })
        const found = await policyOf(decide, `"default";q=${limit};w=4`, retryAfter)
        expect(found, JSON.stringify({ limit, phaseMs, retryAfter, found })).not.toMatchObject({
          verdict: 'false'
        })
      }
    }
  }
})

const tooShort = /^20 in 2 s; of 20 after a rest the next was refused 3\.\d s later$/
const tooLong = /^20 in 8 s; 22 were accepted after a refusal in \d(\.\d)? s$/

const falseWindows: [string, (size: Size) => Limiter, number, RegExp][] = [
  ['a fixed window', fixedAnchored, 2, tooShort],
  ['a fixed window', fixedAnchored, 8, tooLong],
  ['a log', slidingLog, 2, tooShort],
  ['a log', slidingLog, 8, tooLong],
  ['a window of the clock', fixedAligned, 8, tooLong],
  ['a bucket', tokenBucket, 8, tooLong]
]

test.each(falseWindows)('%s of 4 s that says another is told', async (_, limiter, w, because) => {
  for (const phaseMs of [0, 900, 2_300, 3_700]) {
    for (const retryAfter of [undefined, 4]) {
      const decide = limiter({ limit: 20, windowMs: 4_000, phaseMs })
      const found = await policyOf(decide, `"default";q=20;w=${w}`, retryAfter)
      expect(found, JSON.stringify({ phaseMs, retryAfter, w, found })).toMatchObject({
        verdict: 'false',
        because: expect.stringMatching(because)
      })
    }
  }
})
