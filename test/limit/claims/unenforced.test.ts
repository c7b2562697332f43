import { describe, expect, test } from 'vitest'
import type { Reply } from '../../../src/client/reply.ts'
import { against } from '../../../src/limit/baseline.ts'
import { noClaims } from '../../../src/limit/claims/claims.ts'
import { holdClaims } from '../../../src/limit/claims/hold-claims.ts'
import type { Row } from '../../../src/limit/claims/row.ts'
import { unenforcedChecks } from '../../../src/limit/claims/unenforced.ts'
import { type Random, random } from '../../../src/random.ts'
import { reply } from '../replies.ts'

type Size = { limit: number; windowMs: number }

/** A policy that tells what is left, and when all is back, before and after it takes one. */
type Policy = { left: (now: number) => number; take: (now: number) => void; resetMs: () => number }

/** A window from the first request on, or by the clock. */
function window({ limit, windowMs }: Size, isClock = false): Policy {
  let [start, used, last] = [Number.NEGATIVE_INFINITY, 0, 0]
  const left = (now: number) => {
    last = now
    const begin = isClock ? windowMs * Math.floor(now / windowMs) : now
    if (isClock ? begin !== start : now >= start + windowMs) [start, used] = [begin, 0]
    return limit - used
  }
  return { left, take: () => void used++, resetMs: () => start + windowMs - last }
}

function log({ limit, windowMs }: Size): Policy {
  let times: number[] = []
  let last = 0
  return {
    left(now) {
      last = now
      times = times.filter((time) => time > now - windowMs)
      return limit - times.length
    },
    take: (now) => void times.push(now),
    resetMs: () => (times.at(-1) ?? last - windowMs) + windowMs - last
  }
}

function bucket({ limit, windowMs }: Size): Policy {
  let [tokens, then] = [limit, Number.NEGATIVE_INFINITY]
  return {
    left(now) {
      tokens = Math.min(limit, tokens + ((now - then) * limit) / windowMs)
      then = now
      return tokens
    },
    take: () => void tokens--,
    resetMs: () => ((limit - tokens) * windowMs) / limit
  }
}

/** A counter that has a share of the window before. */
function counter({ limit, windowMs }: Size): Policy {
  let [nth, before, used, last] = [-1, 0, 0, 0]
  const left = (now: number) => {
    last = now
    const current = Math.floor(now / windowMs)
    if (current !== nth) [nth, before, used] = [current, current === nth + 1 ? used : 0, 0]
    return limit - used - before * (1 - (now % windowMs) / windowMs)
  }
  return { left, take: () => void used++, resetMs: () => 2 * windowMs - (last % windowMs) }
}

const kinds = { window, clock: (size: Size) => window(size, true), log, bucket, counter }

type Kind = keyof typeof kinds
type Told = Size & { kind: Kind; isEnforced?: boolean }

/** A server of several policies, which another client may ask for as well. */
function server(told: readonly Told[], slowMs: number, next: Random, others = 0) {
  let now = Date.UTC(2026, 0, 2, 3, 4, 5, 678)
  const clock = {
    now: () => now,
    async until(time: number) {
      now = Math.max(now, time)
    }
  }
  const policies = told.map(({ kind, isEnforced = true, ...size }) => {
    return { ...size, isEnforced, ...kinds[kind](size) }
  })
  const take = () => {
    const isTaken = policies.every(({ left, isEnforced }) => left(now) >= 1 || !isEnforced)
    // What is not enforced is told to be none for all that.
    if (isTaken) for (const one of policies) if (one.left(now) >= 1) one.take(now)
    return isTaken
  }
  const whole = (ms: number) => Math.max(0, Math.ceil(ms / 1_000))
  const ask = async () => {
    now += 0.2 + slowMs * next()
    if (next() < others) take()
    const isTaken = take()
    const full = policies.filter(({ left, isEnforced }) => isEnforced && left(now) < 1)
    const waitMs = Math.max(1_000, ...full.map(({ resetMs }) => resetMs()))
    const headers = {
      date: new Date(now).toUTCString(),
      'ratelimit-policy': policies
        .map(({ limit, windowMs }, nth) => `"p${nth}";q=${limit};w=${windowMs / 1_000}`)
        .join(', '),
      ratelimit: policies
        .map(({ left, resetMs }, nth) => {
          return `"p${nth}";r=${Math.max(0, Math.floor(left(now)))};t=${whole(resetMs())}`
        })
        .join(', '),
      ...(!isTaken && { 'retry-after': String(whole(waitMs)) })
    }
    return reply(isTaken ? 200 : 429, { headers, json: isTaken ? { ok: true } : {} })
  }
  const baseline = { status: 200, slowestMs: 1, form: '[["ok","boolean"]]' }
  const judge = (one: Reply) => against(one, baseline, { crowding: [], isSame: true })
  const most = { mostRequests: 600, mostWaitMs: 60_000 }
  return { ask, judge, clock, stopped: () => false, ...most }
}

async function findings(...asked: Parameters<typeof server>) {
  const { findings: all } = await holdClaims(server(...asked))
  return Object.fromEntries(all.map((one) => [one.field, one]))
}

/** What is false; of what others use as well only that more was let through than is left. */
function accused(found: Awaited<ReturnType<typeof findings>>, isShared: boolean) {
  const against = Object.values(found).filter(({ verdict }) => verdict === 'false')
  return isShared ? against.filter(({ because }) => because.includes('none was left')) : against
}

const [inner, outer] = ['RateLimit-Policy "p0"', 'RateLimit-Policy "p1"']

/** Sizes of an inner policy and an outer one, in ms. */
const sizes: [number, number, number, number][] = [
  [7, 2_000, 25, 15_000],
  [5, 1_000, 12, 10_000],
  [6, 2_000, 20, 12_000],
  [6, 2_000, 24, 12_000],
  [12, 2_000, 12, 10_000]
]

describe.each(sizes)('%i in %i ms and %i in %i ms', (limit, windowMs, most, longMs) => {
  const first = { kind: 'window', limit, windowMs } as const
  const second = { limit: most, windowMs: longMs }

  test.each(['window', 'clock', 'bucket'] as const)(
    'a %s that goes on accepting with none left is false, and so is what says so',
    async (kind) => {
      for (const slowMs of [1, 10, 30]) {
        const told = [first, { ...second, kind, isEnforced: false }]
        const found = await findings(told, slowMs, random(1, kind))
        // A bucket that fills nearly as fast as it may be asked has some left till the end.
        const isMet = kind !== 'bucket' || windowMs < 2_000 || limit > 6
        if (!isMet) {
          expect(found[outer]).not.toMatchObject({ verdict: 'true' })
          continue
        }
        expect(found[outer], `${slowMs}`).toMatchObject({ verdict: 'false' })
        expect(found[outer]!.because).toMatch(/^\d+.*; \d+ .*were accepted/)
        expect(found.RateLimit).toMatchObject({ verdict: 'false' })
        expect(found[inner]).not.toMatchObject({ verdict: 'false' })
      }
    }
  )

  test.each(Object.keys(kinds) as Kind[])('a %s that is enforced is not accused', async (kind) => {
    for (const slowMs of [1, 10, 30, 120]) {
      for (const others of [0, 0.3]) {
        const told = [first, { ...second, kind }]
        const found = await findings(told, slowMs, random(2, kind), others)
        expect(accused(found, others > 0), `${slowMs}`).toEqual([])
      }
    }
  })
})

test('two policies of any kind that are enforced are not accused', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const next = random(seed, 'policies')
    const kind = () => {
      const names = Object.keys(kinds) as Kind[]
      return names[Math.floor(names.length * next())]!
    }
    const limit = 2 + Math.floor(10 * next())
    const windowMs = 500 + 500 * Math.floor(6 * next())
    const share = 1.2 + 3 * next()
    const longMs = 500 * Math.ceil((windowMs * (share + 0.5 + 2 * next())) / 500)
    const told = [
      { kind: kind(), limit, windowMs },
      { kind: kind(), limit: Math.floor(share * limit), windowMs: longMs }
    ]
    const isShared = seed % 3 === 0
    const found = await findings(told, 1 + 40 * next(), next, isShared ? 0.2 : 0)
    expect(accused(found, isShared), JSON.stringify(told)).toEqual([])
  }
})

test('one that lets three more through than it says is not said to be kept', async () => {
  const told = [
    { kind: 'window', limit: 7, windowMs: 2_000 },
    { kind: 'window', limit: 25, windowMs: 15_000, isEnforced: false },
    { kind: 'window', limit: 28, windowMs: 15_000 }
  ] as const
  const found = await findings(told, 5, random(1, 'three'))
  expect(found[outer]).not.toMatchObject({ verdict: 'true' })
})

test('a log that forgets as fast as it is asked is not accused, though none is left', () => {
  const field = 'RateLimit-Policy "log"'
  const said = (value: number, text: string) => ({ field, value, text })
  const accepted = (sent: number, left: number): Row => {
    const claims = {
      ...noClaims(),
      apart: [said(10, '10')],
      apartWindowMs: [said(3_000, '3')],
      left: [said(left, `"log";r=${left}`)]
    }
    return { kind: 'accepted', status: 200, sent, answered: sent + 2, claims, because: '' }
  }
  const tenFrom = (start: number, left: (nth: number) => number) => {
    return Array.from({ length: 10 }, (_, nth) => accepted(start + 50 * nth, left(nth)))
  }
  const first = tenFrom(0, (nth) => 9 - nth)
  expect(unenforcedChecks([...first, ...tenFrom(3_010, () => 0)])).toEqual([])
  expect(unenforcedChecks([...first, ...tenFrom(1_000, () => 0)])).toMatchObject([
    { field, counterexample: '10; 9 more were accepted in 0.45 s while none was left' },
    { field: 'RateLimit', counterexample: expect.stringMatching(/^"log";r=0; 9 more/) }
  ])
})
