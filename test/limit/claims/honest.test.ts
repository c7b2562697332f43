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
  waits,
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
  const wait = one(Object.keys(waits))
  const slowMs = one([1, 5, 20, 60])
  const dateMs = one([0, 0, 300, 900])
  const decide = kinds[kind]!({ limit, windowMs })
  const server = { decide, clock, next, form, wait, slowMs, dateMs, ...given }
  const { clock: _, decide: __, next: ___, ...asked } = { ...server, limit, windowMs }
  return { clock, send: served(server), said: JSON.stringify({ kind, ...asked }) }
}

async function heldOf({ clock, send }: ReturnType<typeof drawn>) {
  const held = await holdClaims({ ask: send, judge, clock, stopped: () => false, ...most })
  return { ...held, verdicts: Object.fromEntries(held.findings.map((one) => [one.field, one])) }
}

describe.each(Object.keys(kinds))('an honest %s', (kind) => {
  test('is not accused, whatever form its headers have', async () => {
    for (let seed = 1; seed <= 20; seed++) {
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

/** Changes the number that a field begins with. */
const off = (headers: Record<string, string>, name: string, by: number) => {
  headers[name] = headers[name]!.replace(/\d+(?:\.\d+)?/, (at) => {
    return String(Math.max(0, Number(at) + by))
  })
}

/** Changes how many are allowed in a policy. */
const offPolicy = (headers: Record<string, string>, by: number) => {
  headers['ratelimit-policy'] = headers['ratelimit-policy']!.replace(/q=(\d+)/, (_, limit) => {
    return `q=${Number(limit) + by}`
  })
}

/** A lie that every tenth answer tells. */
function everyTenth(lie: Lie): Lie {
  let nth = 0
  return (headers, stated) => {
    if (++nth % 10 === 0) lie(headers, stated)
  }
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
    'a time of day a second too early, of windows that end with one',
    'X-Ratelimit-Reset',
    { form: 'epoch', kind: 'clock' },
    (headers) => later(headers, 'x-ratelimit-reset', -1)
  ],
  [
    'a time of day in ms that is too early by half a second',
    'X-Ratelimit-Reset',
    { form: 'milliseconds' },
    (headers) => later(headers, 'x-ratelimit-reset', -500)
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
    'a time in ms that is two seconds too early',
    'X-Ratelimit-Reset',
    { form: 'left' },
    (headers) => later(headers, 'x-ratelimit-reset', -2_000)
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
  ],
  [
    'a limit that is one too low',
    'X-Ratelimit-Limit',
    { form: 'epoch' },
    (headers) => off(headers, 'x-ratelimit-limit', -1)
  ],
  [
    'a limit that is one too low, of a log',
    'X-Ratelimit-Limit',
    { form: 'seconds', kind: 'log' },
    (headers) => off(headers, 'x-ratelimit-limit', -1)
  ],
  [
    'a policy that is one too low',
    'RateLimit-Policy',
    { form: 'draft11' },
    (headers) => offPolicy(headers, -1)
  ],
  [
    'a limit and what is left, both one too low',
    'X-Ratelimit-Limit',
    { form: 'seconds' },
    (headers) => {
      off(headers, 'x-ratelimit-limit', -1)
      off(headers, 'x-ratelimit-remaining', -1)
    }
  ],
  [
    'a time of day with a fraction that is a second and a half too early',
    'X-Ratelimit-Reset',
    { form: 'fraction' },
    (headers) => off(headers, 'x-ratelimit-reset', -1.5)
  ],
  [
    'a time with a fraction that is a second and a half too early',
    'X-Ratelimit-Reset-After',
    { form: 'fraction' },
    (headers) => off(headers, 'x-ratelimit-reset-after', -1.5)
  ],
  ...['seconds', 'epoch'].map((form): (typeof lies)[number] => [
    `one more left than there is in every tenth answer, beside ${form}`,
    'X-Ratelimit-Remaining',
    { form },
    everyTenth((headers) => off(headers, 'x-ratelimit-remaining', 1))
  ]),
  [
    'none left in every tenth answer',
    'X-Ratelimit-Remaining',
    { form: 'seconds' },
    everyTenth((headers) => Object.assign(headers, { 'x-ratelimit-remaining': '0' }))
  ],
  [
    'another limit in every tenth answer',
    'X-Ratelimit-Limit',
    { form: 'seconds', kind: 'bucket' },
    everyTenth((headers) => off(headers, 'x-ratelimit-limit', 5))
  ],
  [
    'too few that were used',
    'X-Ratelimit-Used',
    { form: 'used' },
    (headers) => off(headers, 'x-ratelimit-used', -1)
  ],
  [
    'a time with units that is two seconds too early',
    'X-Ratelimit-Reset-Requests',
    { form: 'duration' },
    (headers, { resetMs }) => {
      headers['x-ratelimit-reset-requests'] = `${Math.max(0, Math.ceil(resetMs) - 2_000)}ms`
    }
  ],
  [
    'a time of a maker that is three seconds too early',
    'Anthropic-Ratelimit-Requests-Reset',
    { form: 'made' },
    (headers) => {
      const at = Date.parse(headers['anthropic-ratelimit-requests-reset']!)
      headers['anthropic-ratelimit-requests-reset'] = new Date(at - 3_000).toISOString()
    }
  ],
  [
    'a limit that is one too high beside how many were used',
    'X-Shopify-Shop-Api-Call-Limit',
    { form: 'ratio', kind: 'bucket' },
    (headers) => {
      headers['x-shopify-shop-api-call-limit'] = headers['x-shopify-shop-api-call-limit']!.replace(
        /\d+$/,
        (limit) => String(Number(limit) + 1)
      )
    }
  ]
]

describe.each(lies)('%s', (_, field, { kind = 'window', form }, lie) => {
  test.each(['seconds', 'none'])('is a lie, whether a wait is told: %s', async (wait) => {
    for (let seed = 1; seed <= 4; seed++) {
      const size = { limit: 12 + seed, windowMs: 5_000 }
      const how = { ...size, form, wait, slowMs: [1, 5, 20][seed % 3]!, dateMs: 0 }
      const lying = drawn(seed, kind, { ...how, lie })
      expect((await heldOf(lying)).verdicts[field], lying.said).toMatchObject({ verdict: 'false' })
      const honest = await heldOf(drawn(seed, kind, how))
      expect(honest.verdicts[field], lying.said).toMatchObject({ verdict: 'true' })
    }
  })
})

test('a bucket that says when the next is back is not taken to be full then', async () => {
  for (const [limit, windowMs, verdict] of [
    [23, 4_000, 'true'],
    [44, 4_900, 'unsaid'],
    [7, 5_600, 'true'],
    [8, 10_400, 'true'],
    [10, 6_000, 'true']
  ] as const) {
    const size = { limit, windowMs, form: 'back', wait: 'seconds', slowMs: 5 }
    const { findings, verdicts } = await heldOf(drawn(limit, 'bucket', size))
    expect(findings.filter((one) => one.verdict === 'false')).toEqual([])
    // Where it was filled by a longer rest, what it took after shorter ones tells nothing.
    expect(verdicts['X-Ratelimit-Limit']).toMatchObject({ verdict })
  }
})

test('a window that ends in the middle of what is asked is not accused', async () => {
  for (const [seed, limit, windowMs] of [
    [40, 7, 300],
    [43, 3, 450],
    [140, 2, 300]
  ] as const) {
    const server = drawn(seed, 'clock', { limit, windowMs, slowMs: 20 })
    const { findings } = await heldOf(server)
    const against = findings.filter(({ verdict }) => verdict === 'false')
    expect(against, server.said).toEqual([])
  }
})

test('a window that goes on after a rest, of which no end is told, is not accused', async () => {
  const unended: Lie = (headers, { limit, left }) => {
    headers['x-ratelimit-limit'] = String(limit)
    headers['x-ratelimit-remaining'] = String(left)
  }
  for (const kind of ['clock', 'log', 'bucket']) {
    for (let seed = 1; seed <= 40; seed++) {
      const how = { form: 'none', wait: 'seconds', slowMs: 1, lie: unended }
      const server = drawn(seed, kind, { ...how, limit: 20, windowMs: 3_000 })
      const { findings } = await heldOf(server)
      const against = findings.filter(({ verdict }) => verdict === 'false')
      expect(against, server.said).toEqual([])
    }
  }
})

test('a window that its field is named by is held to its word beside a longer one', async () => {
  for (const [windowMs, verdict] of [
    [1_000, 'true'],
    [3_000, 'false']
  ] as const) {
    const named: Lie = (headers, { limit, left }) => {
      headers['x-ratelimit-limit-second'] = String(limit)
      headers['x-ratelimit-remaining-second'] = String(left)
      headers['x-ratelimit-limit-hour'] = '5000'
      headers['x-ratelimit-remaining-hour'] = String(4_900 + left)
    }
    const how = { windowMs, limit: 10, form: 'none', wait: 'seconds', slowMs: 5, lie: named }
    const { verdicts } = await heldOf(drawn(1, 'window', how))
    expect(verdicts).toMatchObject({
      'X-Ratelimit-Limit-Second': { verdict },
      'X-Ratelimit-Remaining-Second': { verdict: 'true' },
      'X-Ratelimit-Limit-Hour': { verdict: 'unsaid' },
      'X-Ratelimit-Remaining-Hour': { verdict: 'unsaid' }
    })
  }
})

test('a limit on tokens that refuses accuses none on requests', async () => {
  const tokens: Lie = (headers, { limit, left }) => {
    headers['x-ratelimit-limit-requests'] = '500'
    headers['x-ratelimit-remaining-requests'] = String(480 + left)
    headers['x-ratelimit-limit-tokens'] = String(40 * limit + 15)
    headers['x-ratelimit-remaining-tokens'] = String(40 * left + 15)
  }
  const how = { windowMs: 3_000, limit: 12, form: 'none', wait: 'seconds', slowMs: 5, lie: tokens }
  const { verdicts } = await heldOf(drawn(1, 'window', how))
  expect(verdicts).toMatchObject({
    'Retry-After': { verdict: 'true' },
    'X-Ratelimit-Limit-Requests': { verdict: 'unsaid' },
    'X-Ratelimit-Remaining-Requests': { verdict: 'unsaid' },
    'X-Ratelimit-Remaining-Tokens': { because: expect.stringContaining('of tokens') }
  })
})

test('what is put off by each refusal is no lie, though it says the same each time', async () => {
  for (const form of ['seconds', 'draft11', 'epoch', 'left']) {
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
