import { describe, expect, test } from 'vitest'
import type { Client } from '../../../src/client/client.ts'
import type { Reply } from '../../../src/client/reply.ts'
import type { Clock } from '../../../src/clock.ts'
import { against } from '../../../src/limit/baseline.ts'
import { holdClaims } from '../../../src/limit/claims/hold-claims.ts'
import { race } from '../../../src/limit/claims/race.ts'
import { random } from '../../../src/random.ts'
import { virtualClock } from '../virtual-clock.ts'
import {
  banned,
  bucket,
  forms,
  log,
  type Served,
  type Size,
  type Stated,
  type Stating,
  served,
  window
} from './stating-limiters.ts'

const kinds: Record<string, (size: Size) => Stating> = {
  window,
  clock: (size) => window(size, true),
  log,
  'log of all': (size) => log(size, true),
  bucket,
  banned,
  points: ({ limit, windowMs }) => window({ limit: 3 * limit, windowMs, cost: 3 })
}

const baseline = { status: 200, slowestMs: 1, form: '[["ok","boolean"]]' }
const judge = (one: Reply) => against(one, baseline, { crowding: [], isSame: true })
const most = { mostRequests: 600, mostWaitMs: 60_000 }

/** Time that passes as soon as the only one who asks waits for it. */
function aloneClock(): Clock {
  let now = 0
  return {
    now: () => now,
    async until(time) {
      now = Math.max(now, time)
    }
  }
}

/** A server as it is drawn, of one kind, in one form. */
function drawn(seed: number, kind: string, given: Partial<Served> & Partial<Size> = {}) {
  const next = random(seed, kind)
  const one = <T>(all: readonly T[]) => all[Math.floor(all.length * next())]!
  const { limit = 4 + Math.floor(40 * next()), windowMs = 500 + 500 * Math.floor(10 * next()) } =
    given
  const { clock = aloneClock() } = given
  const form = one(Object.keys(forms).filter((name) => name !== 'none'))
  const wait = one(['none', 'seconds', 'longer', 'date'])
  const slowMs = one([1, 5, 20, 60])
  const decide = kinds[kind]!({ limit, windowMs })
  const server = { decide, clock, next, form, wait, slowMs, ...given }
  const asked = { form: server.form, wait: server.wait, slowMs: server.slowMs, limit, windowMs }
  return { clock, send: served(server), said: JSON.stringify({ kind, ...asked }) }
}

async function heldOf({ clock, send }: ReturnType<typeof drawn>) {
  const held = await holdClaims({ ask: send, judge, clock, stopped: () => false, ...most })
  return { ...held, verdicts: Object.fromEntries(held.findings.map((one) => [one.field, one])) }
}

describe.each(Object.keys(kinds))('an honest %s', (kind) => {
  test('is not accused, whatever form its headers have', async () => {
    for (let seed = 1; seed <= 10; seed++) {
      const server = drawn(seed, kind)
      const { findings } = await heldOf(server)
      const against = findings.filter(({ verdict }) => verdict === 'false')
      expect(against, server.said).toEqual([])
    }
  })

  test('nor of a race', async () => {
    for (let seed = 21; seed <= 22; seed++) {
      const server = drawn(seed, kind, { clock: virtualClock() })
      const { level, ...held } = await heldOf(server)
      if (level === undefined) continue
      const { clock, send } = server
      const client = { send } as Partial<Client> as Client
      const asking = { client, question: { method: 'GET', path: '/' }, ask: send, judge, clock }
      const found = await race({ ...asking, ...held, level, stopped: () => false })
      expect(found.verdict, `${server.said} ${found.because}`).not.toBe('false')
    }
  })
})

type Lie = (headers: Record<string, string>, stated: Stated) => void

const later = (headers: Record<string, string>, name: string, by: number) => {
  headers[name] = headers[name]!.replace(/(^|t=|reset=)(\d+)$/, (_, start, at) => {
    return `${start}${Math.max(0, Number(at) + by)}`
  })
}

/** Each lie, in which forms, and the field that is false by it. */
const lies: [string, string, { form: string; kind?: string; windowMs?: number }, Lie][] = [
  [
    'a time of day two seconds too early',
    'X-Ratelimit-Reset',
    { form: 'epoch' },
    (headers) => later(headers, 'x-ratelimit-reset', -2)
  ],
  [
    'a time two seconds too early',
    'RateLimit',
    { form: 'draft11' },
    (headers) => later(headers, 'ratelimit', -2)
  ],
  [
    'a time of version 7 that is two seconds too early',
    'RateLimit',
    { form: 'draft7' },
    (headers) => later(headers, 'ratelimit', -2)
  ],
  [
    'a second, whenever it is asked',
    'X-Ratelimit-Reset',
    { form: 'seconds' },
    (headers) => Object.assign(headers, { 'x-ratelimit-reset': '1' })
  ],
  [
    'the whole window, whenever it is asked',
    'X-Ratelimit-Reset',
    { form: 'seconds' },
    (headers, { windowMs }) => {
      Object.assign(headers, { 'x-ratelimit-reset': String(windowMs / 1_000) })
    }
  ],
  [
    'the whole window of a log, whenever it is asked',
    'X-Ratelimit-Reset',
    { form: 'seconds', kind: 'log' },
    (headers, { windowMs }) => {
      Object.assign(headers, { 'x-ratelimit-reset': String(windowMs / 1_000) })
    }
  ],
  [
    'more left than there are, until the last five',
    'X-Ratelimit-Remaining',
    { form: 'seconds' },
    (headers, { left, limit }) => {
      const more = left > 5 ? Math.min(limit, left + 3) : left
      Object.assign(headers, { 'x-ratelimit-remaining': String(more) })
    }
  ]
]

describe.each(lies)('%s', (_, field, { kind = 'window', form }, lie) => {
  test.each(['seconds', 'none'])('is a lie, whether a wait is told: %s', async (wait) => {
    for (let seed = 1; seed <= 4; seed++) {
      const size = { limit: 12 + seed, windowMs: 5_000 }
      const how = { ...size, form, wait, slowMs: [1, 5, 20][seed % 3]! }
      const lying = drawn(seed, kind, { ...how, lie })
      expect((await heldOf(lying)).verdicts[field], lying.said).toMatchObject({ verdict: 'false' })
      const honest = await heldOf(drawn(seed, kind, how))
      expect(honest.verdicts[field], lying.said).toMatchObject({ verdict: 'true' })
    }
  })
})

test('a bucket that says when the next is back is not taken to be full then', async () => {
  for (const [limit, windowMs] of [
    [23, 4_000],
    [44, 4_900],
    [7, 5_600]
  ] as const) {
    const size = { limit, windowMs, form: 'back', wait: 'seconds', slowMs: 5 }
    const { findings } = await heldOf(drawn(limit, 'bucket', size))
    expect(findings.filter(({ verdict }) => verdict === 'false')).toEqual([])
  }
})

test('what is put off by each refusal is no lie, though it says the same each time', async () => {
  for (const form of ['seconds', 'draft11', 'epoch']) {
    for (let seed = 1; seed <= 6; seed++) {
      const server = drawn(seed, 'log of all', { limit: 5, windowMs: 3_000, form, wait: 'none' })
      const { findings } = await heldOf(server)
      expect(
        findings.filter(({ verdict }) => verdict === 'false'),
        server.said
      ).toEqual([])
    }
  }
})
