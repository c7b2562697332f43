import { describe, expect, test } from 'vitest'
import { against } from '../../../src/limit/baseline.ts'
import { holdClaims } from '../../../src/limit/claims/hold-claims.ts'
import { reply } from '../replies.ts'

/** A window of the first request, and what its answers say of it. */
type Said = {
  limit?: number
  windowMs?: number
  /** What a lie changes of what is said. */
  lie?: (headers: Record<string, string>, at: { now: number; isRefused: boolean }) => unknown
  isSoft?: boolean
  processes?: number
}

const epochMs = Date.UTC(2026, 0, 2, 3, 4, 5)

/** A server a millisecond away, on a clock that nothing has to wait for. */
function server({ limit = 20, windowMs = 3_000, lie, isSoft, processes = 1 }: Said) {
  let now = epochMs
  let nth = 0
  const counters = Array.from({ length: processes }, () => ({ start: 0, count: 0 }))
  const clock = {
    now: () => now,
    async until(time: number) {
      now = Math.max(now, time)
    }
  }
  const ask = async () => {
    now++
    const counter = counters[nth++ % processes]!
    if (now >= counter.start + windowMs) Object.assign(counter, { start: now, count: 0 })
    const isRefused = ++counter.count > limit
    const resetMs = counter.start + windowMs - now
    const left = Math.max(0, limit - counter.count)
    const headers: Record<string, string> = {
      date: new Date(now).toUTCString(),
      'ratelimit-policy': `"default";q=${limit};w=${windowMs / 1_000}`,
      ratelimit: `"default";r=${left};t=${Math.ceil(resetMs / 1_000)}`,
      'x-ratelimit-reset': String(Math.ceil((now + resetMs) / 1_000)),
      ...(isRefused && { 'retry-after': String(Math.ceil(resetMs / 1_000)) })
    }
    lie?.(headers, { now, isRefused })
    const body = isRefused ? '{"error":"slow down"}' : '{"ok":true}'
    const status = isRefused && !isSoft ? 429 : 200
    return reply(status, { headers, body, json: JSON.parse(body) })
  }
  const baseline = { status: 200, slowestMs: 1, form: '[["ok","boolean"]]' }
  const judge = (one: ReturnType<typeof reply>) =>
    against(one, baseline, { crowding: [], isSame: true })
  return { ask, judge, clock, stopped: () => false, mostRequests: 500, mostWaitMs: 20_000 }
}

const verdicts = async (said: Said) => {
  const { findings: found } = await holdClaims(server(said))
  return Object.fromEntries(found.map(({ field, verdict }) => [field, verdict]))
}

const honest = {
  RateLimit: 'true',
  'RateLimit-Policy': 'true',
  'Retry-After': 'true',
  'X-Ratelimit-Reset': 'true'
}

/** A lie, the field that is false by it, and a server that behaves alike and says so. */
type Lie = [name: string, field: string, lying: Said, honest: Said]
const lies: Lie[] = [
  [
    'a static Retry-After',
    'Retry-After',
    {
      lie: (headers, { isRefused }) => isRefused && Object.assign(headers, { 'retry-after': '1' })
    },
    { windowMs: 1_000 }
  ],
  [
    'a Remaining off by one',
    'RateLimit',
    {
      lie: (headers) => {
        headers.ratelimit = headers.ratelimit!.replace(/r=(\d+)/, (_, r) => `r=${Number(r) + 1}`)
      }
    },
    { limit: 21 }
  ],
  [
    'a Remaining that is none too early',
    'RateLimit',
    {
      lie: (headers) => {
        headers.ratelimit = headers.ratelimit!.replace(
          /r=(\d+)/,
          (_, r) => `r=${Math.max(0, r - 1)}`
        )
      }
    },
    { limit: 19 }
  ],
  [
    'a reset in milliseconds where seconds are meant',
    'X-Ratelimit-Reset',
    { lie: (headers) => Object.assign(headers, { 'x-ratelimit-reset': '1500000000' }) },
    {
      lie: (headers) => {
        headers['x-ratelimit-reset'] += '000'
      }
    }
  ],
  [
    'a reset that is the same whenever it is asked',
    'X-Ratelimit-Reset',
    {
      windowMs: 4_000,
      lie: (headers) => Object.assign(headers, { 'x-ratelimit-reset': '4' })
    },
    { windowMs: 4_000 }
  ],
  [
    'a time to be back that is too early, and a true wait',
    'RateLimit',
    {
      windowMs: 5_000,
      lie: (headers) => {
        headers.ratelimit = headers.ratelimit!.replace(/t=(\d+)/, (_, t) => `t=${t - 2}`)
      }
    },
    { windowMs: 5_000 }
  ],
  [
    'a policy that differs',
    'RateLimit-Policy',
    { lie: (headers) => Object.assign(headers, { 'ratelimit-policy': '"default";q=25;w=3' }) },
    { limit: 25 }
  ],
  [
    'a longer window than there is',
    'RateLimit-Policy',
    { lie: (headers) => Object.assign(headers, { 'ratelimit-policy': '"default";q=20;w=60' }) },
    { windowMs: 6_000 }
  ],
  [
    'a window twice as long as there is',
    'RateLimit-Policy',
    { lie: (headers) => Object.assign(headers, { 'ratelimit-policy': '"default";q=20;w=6' }) },
    { windowMs: 6_000 }
  ],
  [
    'a window half as long as there is',
    'RateLimit-Policy',
    {
      windowMs: 4_000,
      lie: (headers) => Object.assign(headers, { 'ratelimit-policy': '"default";q=20;w=2' })
    },
    { windowMs: 2_000 }
  ],
  ['a counter for each process', 'RateLimit-Policy', { processes: 2 }, { limit: 40 }],
  [
    'headers only on a refusal',
    'RateLimit',
    { lie: (headers, { isRefused }) => isRefused || delete headers.ratelimit },
    {}
  ],
  [
    'a date that is over',
    'Retry-After',
    {
      lie: (headers, { now, isRefused }) => {
        if (isRefused) headers['retry-after'] = new Date(now - 5_000).toUTCString()
      }
    },
    {
      lie: (headers, { now, isRefused }) => {
        const ms = 1_000 * Number(headers['retry-after'])
        if (isRefused) headers['retry-after'] = new Date(now + ms + 1_000).toUTCString()
      }
    }
  ],
  [
    'a wait in words',
    'Retry-After',
    {
      lie: (headers, { isRefused }) =>
        isRefused && Object.assign(headers, { 'retry-after': 'soon' })
    },
    {}
  ],
  [
    'two waits',
    'Retry-After',
    {
      lie: (headers, { isRefused }) =>
        isRefused && Object.assign(headers, { 'retry-after': '1, 3' })
    },
    {
      lie: (headers, { isRefused }) => {
        const wait = headers['retry-after']
        if (isRefused) headers['retry-after'] = `${wait}, ${wait}`
      }
    }
  ],
  ...['retry-after-ms', 'x-ratelimit-retry-after'].map((name): Lie => {
    const inMs = name.endsWith('-ms')
    return [
      `a ${name} that is too short, beside a true wait`,
      inMs ? 'Retry-After-Ms' : 'X-Ratelimit-Retry-After',
      {
        lie: (headers, { isRefused }) => {
          if (isRefused) headers[name] = inMs ? '700' : '0.7'
        }
      },
      {
        lie: (headers, { isRefused }) => {
          const wait = Number(headers['retry-after'])
          if (isRefused) headers[name] = `${inMs ? 1_000 * wait : wait}`
        }
      }
    ]
  }),
  ['a refusal that calls itself a success', 'status', { isSoft: true }, {}]
]

describe('a lie is found, and its honest twin is not accused', () => {
  test.each(lies)('%s', async (_, field, lying, twin) => {
    expect((await verdicts(lying))[field]).toBe('false')
    expect(await verdicts(twin)).toMatchObject(honest)
    expect(Object.values(await verdicts(twin))).not.toContain('false')
  })

  test('the counterexample says what was seen', async () => {
    const [, , lying] = lies[0]!
    const { findings: found, level } = await holdClaims(server(lying))
    expect(level).toBe(20)
    const { because } = found.find(({ field }) => field === 'Retry-After')!
    expect(because).toMatch(/^1; refused until 3(\.\d)? s; 0 of 2 kept$/)
  })

  test('none left, and all accepted on and on, is false; of a limit of one it is not', async () => {
    const ask = (most: number) => {
      let nth = 0
      return async () => {
        const left = String(Math.max(0, most - ++nth))
        return reply(200, {
          headers: { 'x-ratelimit-limit': `${most}`, 'x-ratelimit-remaining': left }
        })
      }
    }
    const found = async (most: number) => {
      const judge = () => ({ kind: 'accepted', because: '', status: 200 }) as never
      const { findings } = await holdClaims({ ...server({}), judge, ask: ask(most) })
      return findings.find(({ field }) => field === 'X-Ratelimit-Remaining')
    }
    expect(await found(10)).toMatchObject({
      verdict: 'false',
      because: '0; 490 more accepted in a row'
    })
    expect(await found(1)).toMatchObject({ verdict: 'unsaid' })
  })

  test('none left, and all accepted together, is false; of a bucket it is not', async () => {
    const answer = (left: number) => {
      const headers = { 'x-ratelimit-limit': '10', 'x-ratelimit-remaining': String(left) }
      return reply(left < 0 ? 429 : 200, { headers, json: { ok: left >= 0 } })
    }
    const found = async (leftTogether: number) => {
      let nth = 0
      const { ask: _, ...options } = server({})
      const { findings } = await holdClaims({
        ...options,
        ask: async () => answer(Math.max(0, 10 - ++nth)),
        together: async (count) => Array.from({ length: count }, () => answer(leftTogether)),
        mostRequests: 40
      })
      return findings.find(({ field }) => field === 'X-Ratelimit-Remaining')
    }
    expect(await found(0)).toMatchObject({
      ...{ verdict: 'false', because: '0; 20 more accepted in a row and 20 together' }
    })
    expect(await found(-1)).toMatchObject({ verdict: 'unsaid' })
    expect(await found(5)).toMatchObject({ verdict: 'unsaid' })
  })

  test('one wait in five that is too short is found, and how many were kept', async () => {
    for (const [windowMs, every] of [
      [3_000, 5],
      [6_000, 5],
      [4_000, 7]
    ] as const) {
      let nth = 0
      const lie: Said['lie'] = (headers, { isRefused }) => {
        if (isRefused && ++nth % every === 0) headers['retry-after'] = '1'
      }
      const { findings } = await holdClaims(server({ windowMs, lie }))
      const wait = findings.find(({ field }) => field === 'Retry-After')!
      expect(wait, wait.because).toMatchObject({ verdict: 'false' })
      expect(wait.because).toMatch(/^1; refused until \d(\.\d)? s; \d+ of \d+ kept$/)
      // What adds a second or two to some of its waits is none the less true.
      const longer: Said['lie'] = (headers, { isRefused }) => {
        const wait = Number(headers['retry-after'])
        if (isRefused) headers['retry-after'] = String(wait + (nth++ % 3))
      }
      const honest = await holdClaims(server({ windowMs, lie: longer }))
      expect(honest.findings.find(({ field }) => field === 'Retry-After')).toMatchObject({
        verdict: 'true',
        because: expect.stringMatching(/^\d; accepted .* later; (\d+) of \1 kept$/)
      })
    }
  })

  test('a reset in ms is read as such where it falls as ms pass, and is held to it', async () => {
    const inMs = (by: number, name = 'x-ratelimit-reset'): Said['lie'] => {
      return (headers, { now }) => {
        const left = 1_000 * Number(headers['x-ratelimit-reset']) - now
        delete headers['x-ratelimit-reset']
        headers[name] = String(Math.max(0, Math.ceil(left + by)))
      }
    }
    const found = async (lie: Said['lie'], windowMs = 5_000) => {
      const { findings } = await holdClaims(server({ windowMs, lie }))
      return findings.find(({ field }) => field.includes('Reset'))
    }
    expect(await found(inMs(0))).toMatchObject({ verdict: 'true' })
    expect((await found(inMs(0)))!.because).toMatch(/^\d{4} ms; accepted again after/)
    expect(await found(inMs(-2_500))).toMatchObject({ verdict: 'false' })
    expect(await found(inMs(9_000))).toMatchObject({ verdict: 'false' })
    expect(await found(inMs(0, 'x-rate-limit-time-reset-ms'))).toMatchObject({ verdict: 'true' })
    expect(await found(inMs(-2_500, 'x-rate-limit-time-reset-ms'))).toMatchObject({
      verdict: 'false'
    })
    const always: Said['lie'] = (headers) => {
      headers['x-ratelimit-reset'] = '4500'
    }
    expect(await found(always)).toMatchObject({ verdict: 'false' })
    expect(await found(always, 9_000)).toMatchObject({ verdict: 'false' })
    const longer: Said['lie'] = (headers, { now }) => {
      const left = Number(headers['x-ratelimit-reset']) - Math.floor(now / 1_000)
      headers['x-ratelimit-reset'] = String(4_500 + left)
    }
    expect(await found(longer)).toMatchObject({ verdict: 'false' })
    // The IETF's drafts have seconds.
    expect(await found(inMs(0, 'ratelimit-reset'))).toMatchObject({ verdict: 'false' })
  })

  test('who says nothing is not judged, nor who never refuses', async () => {
    const silent = { lie: (headers: Record<string, string>) => clear(headers) }
    expect(await verdicts(silent)).toEqual({})
    const { findings, level, because } = await holdClaims(server({ limit: 1_000 }))
    expect(level).toBeUndefined()
    expect(because).toBe(
      'all 500 were accepted in 0.5 s, 500 are left, and no more may be sent (--requests)'
    )
    expect(new Set(findings.map((one) => `${one.verdict} ${one.because}`))).toEqual(
      new Set([`unsaid ${because}`])
    )
  })
})

test('a rest that is counted too low by some is a lie however slow the answers are', async () => {
  for (const less of [1, 3]) {
    for (const latencyMs of [1, 5, 20]) {
      const found = await lowVerdicts(less, latencyMs)
      expect(found['X-Ratelimit-Remaining']).toBe('false')
      expect(found['X-Ratelimit-Limit']).toBe('true')
    }
  }
  expect(await lowVerdicts(0, 20)).toMatchObject({ 'X-Ratelimit-Remaining': 'true' })
})

/** Twenty in three seconds, where so many fewer are told to be left than are. */
async function lowVerdicts(less: number, latencyMs: number) {
  const { clock, ask, ...options } = server({
    lie: (headers, { now }) => {
      const left = Number(/r=(\d+)/.exec(headers.ratelimit!)![1])
      const reset = Math.ceil(Number(headers['x-ratelimit-reset']) - now / 1_000)
      clear(headers)
      headers['x-ratelimit-limit'] = '20'
      headers['x-ratelimit-remaining'] = String(Math.max(0, left - less))
      headers['x-ratelimit-reset'] = String(reset)
    }
  })
  const late = async () => {
    await clock.until(clock.now() + latencyMs)
    return ask()
  }
  const { findings } = await holdClaims({ ...options, clock, ask: late })
  return Object.fromEntries(findings.map(({ field, verdict }) => [field, verdict]))
}

/** A token bucket that tells what is left and for how long to wait, and not when it is full. */
async function bucketVerdicts(
  limit: number,
  everyMs: number,
  { lie = 0, toldMs, latencyMs = 1 }: { lie?: number; toldMs?: number; latencyMs?: number } = {}
) {
  let [tokens, then] = [limit, epochMs]
  const { clock, judge, ...options } = server({})
  const ask = async () => {
    await clock.until(clock.now() + latencyMs)
    tokens = Math.min(limit, tokens + (clock.now() - then) / everyMs)
    then = clock.now()
    const isRefused = tokens < 1
    if (!isRefused) tokens--
    const headers = {
      'x-ratelimit-limit': String(limit + lie),
      'x-ratelimit-remaining': String(Math.floor(tokens)),
      ...(isRefused && {
        'retry-after': String(Math.ceil((toldMs ?? (1 - tokens) * everyMs) / 1_000))
      })
    }
    const body = isRefused ? '{"error":"slow down"}' : '{"ok":true}'
    return reply(isRefused ? 429 : 200, { headers, body, json: JSON.parse(body) })
  }
  const { findings } = await holdClaims({ ...options, clock, judge, ask })
  return Object.fromEntries(findings.map(({ field, verdict }) => [field, verdict]))
}

test('a bucket that is not full again says the truth for all that', async () => {
  for (const [limit, everyMs] of [
    [20, 3_000],
    [5, 1_000],
    [100, 100]
  ] as const) {
    const found = await bucketVerdicts(limit, everyMs)
    expect(Object.values(found)).not.toContain('false')
    expect(found).toMatchObject({ 'Retry-After': 'true' })
  }
})

test('a bucket that fills in less than a second takes more than it holds', async () => {
  for (const [limit, everyMs, latencyMs] of [
    [20, 25, 15],
    [5, 100, 40],
    [12, 33, 20],
    [10, 25, 12]
  ] as const) {
    const found = await bucketVerdicts(limit, everyMs, { latencyMs })
    expect(found, `${limit} every ${everyMs} ms`).not.toMatchObject({
      'X-Ratelimit-Limit': 'false'
    })
  }
})

test('a limit that no rest brings is false, though no window is told', async () => {
  const found = async (told: number, { windowMs = 5_000, latencyMs = 1 } = {}) => {
    const { clock, ask, ...options } = server({
      windowMs,
      lie: (headers) => {
        const { 'retry-after': wait, ratelimit } = headers
        clear(headers)
        headers['x-ratelimit-limit'] = String(told)
        headers['x-ratelimit-remaining'] = /r=(\d+)/.exec(ratelimit!)![1]!
        if (wait !== undefined) headers['retry-after'] = wait
      }
    })
    const late = async () => {
      await clock.until(clock.now() + latencyMs)
      return ask()
    }
    const { findings } = await holdClaims({ ...options, clock, ask: late })
    return findings.find(({ field }) => field === 'X-Ratelimit-Limit')
  }
  for (const windowMs of [2_000, 5_000, 8_000]) {
    for (const latencyMs of [1, 20]) {
      const how = { windowMs, latencyMs }
      expect(await found(60, how)).toMatchObject({
        verdict: 'false',
        because: expect.stringMatching(
          /^60; refused after 20, after [\d.]+ s of rest as after another$/
        )
      })
      expect(await found(20, how)).toMatchObject({ verdict: 'true' })
    }
  }
})

test('a limit in a time that is not told is no lie of a bucket that holds less', async () => {
  for (const [holds, everyMs] of [
    [20, 100],
    [20, 250],
    [20, 1_000],
    [8, 400]
  ] as const) {
    for (const latencyMs of [1, 20]) {
      const found = await bucketVerdicts(holds, everyMs, { lie: 40, latencyMs })
      expect(found).toMatchObject({ 'X-Ratelimit-Limit': 'unsaid' })
    }
  }
})

/** Forty points in four seconds, of which each request takes as many as `costs` says in turn. */
async function pointsVerdicts(costs: readonly number[], told = 40) {
  let [start, used, nth] = [0, 0, 0]
  const { clock, judge, ...options } = server({})
  const ask = async () => {
    await clock.until(clock.now() + 3)
    if (clock.now() >= start + 4_000) [start, used] = [clock.now(), 0]
    const cost = costs[nth++ % costs.length]!
    const isTaken = used + cost <= 40
    if (isTaken) used += cost
    const resetMs = start + 4_000 - clock.now()
    const headers = {
      'x-ratelimit-limit': String(told),
      'x-ratelimit-remaining': String(40 - used),
      'x-ratelimit-reset': String(Math.ceil(resetMs / 1_000)),
      ...(!isTaken && { 'retry-after': String(Math.ceil(resetMs / 1_000)) })
    }
    return reply(isTaken ? 200 : 429, { headers, json: isTaken ? { ok: true } : {} })
  }
  const { findings } = await holdClaims({ ...options, clock, judge, ask })
  return Object.fromEntries(findings.map(({ field, verdict }) => [field, verdict]))
}

test('requests that take several points each are counted by what is left', async () => {
  for (const cost of [2, 3, 7]) {
    const [limit, left] = ['X-Ratelimit-Limit', 'X-Ratelimit-Remaining']
    expect(await pointsVerdicts([cost])).toMatchObject({ [limit]: 'true', [left]: 'true' })
    expect(await pointsVerdicts([cost], 60)).toMatchObject({ [limit]: 'false' })
    expect(await pointsVerdicts([cost], 20)).toMatchObject({ [limit]: 'false' })
  }
  expect(Object.values(await pointsVerdicts([1, 4, 2, 7]))).not.toContain('false')
})

/** Two windows, each from its first request on, and what answers say of both of them. */
async function policyVerdicts(
  windows: { limit: number; windowMs: number; told?: number }[],
  isWaitTold: boolean,
  {
    isWaitOfFirst = false,
    isFirstAlone = false,
    cost = 1,
    failEvery = 0
  }: {
    isWaitOfFirst?: boolean
    isFirstAlone?: boolean
    cost?: number
    failEvery?: number
  } = {}
) {
  const { clock, judge, ...options } = server({})
  const states = windows.map((window) => ({ ...window, start: 0, count: 0 }))
  const names = ['burst', 'daily']
  let asked = 0
  const ask = async () => {
    await clock.until(clock.now() + 3)
    const now = clock.now()
    for (const state of states) {
      if (now >= state.start + state.windowMs) Object.assign(state, { start: now, count: 0 })
    }
    const held = isFirstAlone ? states.slice(0, 1) : states
    const isTaken = held.every(({ count, limit }) => count + cost <= limit)
    for (const state of states) {
      if (isTaken) state.count = Math.min(state.limit, state.count + cost)
    }
    const resetMs = states.map(({ start, windowMs }) => start + windowMs - now)
    const full = resetMs.filter((_, nth) => states[nth]!.count + cost > states[nth]!.limit)
    const waitMs = isWaitOfFirst ? Math.max(1_000, resetMs[0]!) : Math.max(...full)
    const headers = {
      'ratelimit-policy': states
        .map(({ limit, told = limit, windowMs }, nth) => {
          return `"${names[nth]}";q=${told};w=${windowMs / 1_000}`
        })
        .join(', '),
      ratelimit: states
        .map(({ limit, told = limit, count }, nth) => {
          return `"${names[nth]}";r=${told - count};t=${Math.ceil(resetMs[nth]! / 1_000)}`
        })
        .join(', '),
      ...(!isTaken && isWaitTold && { 'retry-after': String(Math.ceil(waitMs / 1_000)) })
    }
    if (failEvery > 0 && ++asked % failEvery === 0) return reply(500, { headers })
    return reply(isTaken ? 200 : 429, { headers, json: isTaken ? { ok: true } : {} })
  }
  const { findings } = await holdClaims({ ...options, clock, judge, ask })
  return Object.fromEntries(findings.map((one) => [one.field, one]))
}

describe('two policies', () => {
  const [burst, daily] = ['RateLimit-Policy "burst"', 'RateLimit-Policy "daily"']

  test.each([true, false])('are not accused where the wait is told: %s', async (isWaitTold) => {
    for (const [first, second] of [
      [
        { limit: 10, windowMs: 1_500 },
        { limit: 15, windowMs: 12_000 }
      ],
      [
        { limit: 8, windowMs: 2_000 },
        { limit: 12, windowMs: 12_000 }
      ],
      [
        { limit: 10, windowMs: 2_000 },
        { limit: 20, windowMs: 9_000 }
      ],
      [
        { limit: 10, windowMs: 2_000 },
        { limit: 24, windowMs: 9_000 }
      ]
    ] as const) {
      const found = await policyVerdicts([first, second], isWaitTold)
      expect(Object.values(found).map(({ verdict }) => verdict)).not.toContain('false')
      expect(Object.keys(found)).toEqual(expect.arrayContaining([burst, daily]))
    }
  })

  test('are two fields, and of one that never refused nothing is said', async () => {
    const inner = { limit: 10, windowMs: 2_000 }
    const found = await policyVerdicts([inner, { limit: 1_000, windowMs: 9_000 }], true)
    expect(found[burst]).toMatchObject({ verdict: 'true' })
    const because = 'another policy refused each time'
    expect(found[daily]).toMatchObject({ verdict: 'unsaid', because })
    const lying = await policyVerdicts(
      [
        { ...inner, told: 15 },
        { limit: 90, windowMs: 9_000 }
      ],
      true
    )
    expect(lying[burst]).toMatchObject({ verdict: 'false' })
  })
})

test('two policies are not accused for points that are left, nor for what fails', async () => {
  const windows = [
    { limit: 21, windowMs: 2_000 },
    { limit: 49, windowMs: 9_000 }
  ]
  for (const how of [{ cost: 2 }, { cost: 2, failEvery: 7 }, { failEvery: 11 }]) {
    const found = await policyVerdicts(windows, false, how)
    expect(Object.values(found).filter(({ verdict }) => verdict === 'false')).toEqual([])
  }
})

test('a policy that rests make forget is met, and its wait held to its word', async () => {
  const windows = [
    { limit: 10, windowMs: 2_000 },
    { limit: 24, windowMs: 9_000 }
  ]
  const honest = await policyVerdicts(windows, true)
  expect(honest['RateLimit-Policy "daily"']).toMatchObject({ verdict: 'true' })
  expect(honest['Retry-After']).toMatchObject({ verdict: 'true' })
  const { 'Retry-After': wait } = await policyVerdicts(windows, true, { isWaitOfFirst: true })
  expect(wait).toMatchObject({ verdict: 'false' })
  expect(wait!.because).toMatch(/^\d; refused \d(\.\d)? s later, by another policy; 36 of 38 kept$/)
})

test('a policy that is told and not enforced is false, whoever refuses meanwhile', async () => {
  const windows = [
    { limit: 10, windowMs: 2_000 },
    { limit: 24, windowMs: 20_000 }
  ]
  const found = await policyVerdicts(windows, true, { isFirstAlone: true, isWaitOfFirst: true })
  expect(found['RateLimit-Policy "burst"']).toMatchObject({ verdict: 'true' })
  expect(found['RateLimit-Policy "daily"']).toMatchObject({ verdict: 'false' })
  expect(found['RateLimit-Policy "daily"']!.because).toMatch(
    /^24; \d+ more were accepted in .* while none was left$/
  )
})

test('a wait that is too short now and then is a lie for all that', async () => {
  // Of one whose answers are late the next token may come at any moment of two seconds.
  for (const latencyMs of [70, 130, 190, 310]) {
    for (const limit of [3, 5, 8]) {
      const lying = await bucketVerdicts(limit, 2_000, { toldMs: 1_000, latencyMs })
      expect(lying['Retry-After']).not.toBe('unsaid')
      const honest = await bucketVerdicts(limit, 2_000, { latencyMs })
      expect(honest['Retry-After']).toBe('true')
    }
  }
})

test('what is about limits and is not read is told', async () => {
  const lie = (headers: Record<string, string>) => {
    headers['x-ratelimit-bucket'] = 'abcd'
  }
  const { findings } = await holdClaims(server({ lie }))
  expect(findings.find(({ field }) => field === 'X-Ratelimit-Bucket')).toEqual({
    ...{ field: 'X-Ratelimit-Bucket', verdict: 'unsaid', because: 'abcd; no form known here' }
  })
})

/** Windows of the clock, met at any moment, that tell when they end. */
async function windowVerdicts(limit: number, windowMs: number, latencyMs: number, phaseMs: number) {
  let [window, count] = [0, 0]
  const { clock, judge, ...options } = server({})
  await clock.until(clock.now() + phaseMs)
  const ask = async () => {
    await clock.until(clock.now() + latencyMs)
    const current = Math.floor(clock.now() / windowMs)
    if (current !== window) [window, count] = [current, 0]
    const isRefused = ++count > limit
    const resetMs = windowMs - (clock.now() % windowMs)
    const headers = {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': String(Math.max(0, limit - count)),
      'ratelimit-reset': String(Math.ceil(resetMs / 1_000))
    }
    const body = isRefused ? '{"error":"slow down"}' : '{"ok":true}'
    return reply(isRefused ? 429 : 200, { headers, body, json: JSON.parse(body) })
  }
  const { findings } = await holdClaims({ ...options, clock, judge, ask })
  return findings.map(({ verdict }) => verdict)
}

test('a window that is met halfway says the truth for all that', async () => {
  for (const latencyMs of [1, 5, 60]) {
    for (let phaseMs = 0; phaseMs < 10_000; phaseMs += 1_237) {
      expect(await windowVerdicts(2, 10_000, latencyMs, phaseMs)).not.toContain('false')
      expect(await windowVerdicts(5, 3_000, latencyMs, phaseMs)).not.toContain('false')
    }
  }
})

function clear(headers: Record<string, string>): void {
  for (const name of Object.keys(headers)) delete headers[name]
}

/** What is said of a server, and after how many ms, of which there are so many. */
async function heldIn(givenMs: number, said: Said, stop?: AbortSignal) {
  const options = server(said)
  const from = options.clock.now()
  const notes: string[] = []
  const held = await holdClaims({
    ...{ ...options, mostWaitMs: 120_000, note: (text) => void notes.push(text) },
    leftMs: () => from + givenMs - options.clock.now(),
    ...(stop && { signal: stop, stopped: () => stop.aborted })
  })
  const found = held.findings.map(({ field, verdict }) => [field, verdict])
  return { ...held, notes, found: Object.fromEntries(found), tookMs: options.clock.now() - from }
}

describe('a window as long as the time there is', () => {
  const minute = { limit: 30, windowMs: 60_000 }
  const early = 'all is back after 61 s, for which 3 rounds take more (--time 8m)'

  test('is asked again as soon as all is back, and told from', async () => {
    const { found, because, notes, tookMs } = await heldIn(100_000, minute)
    expect(found).toEqual(honest)
    expect([because, notes]).toEqual([undefined, [early]])
    expect(tookMs).toBeLessThan(62_000)
  })

  test('is asked as often as ever where there is time', async () => {
    const { found, notes, tookMs } = await heldIn(600_000, minute)
    expect([found, notes]).toEqual([honest, []])
    expect(tookMs).toBeGreaterThan(180_000)
  })

  test('is not waited for in vain, and what is not told says why', async () => {
    const { found, because, findings, notes, tookMs } = await heldIn(40_000, minute)
    expect(new Set(Object.values(found))).toEqual(new Set(['unsaid']))
    expect([because, findings[0]!.because, notes]).toEqual([early, early, [early]])
    expect(tookMs).toBeLessThan(1_000)
  })

  test('has no lie that is seen once, and it is told', async () => {
    const less = (headers: Record<string, string>) => {
      headers['ratelimit-policy'] = '"default";q=25;w=60'
    }
    const { findings } = await heldIn(100_000, { ...minute, lie: less })
    const policy = findings.find(({ field }) => field === 'RateLimit-Policy')!
    expect(policy).toMatchObject({ verdict: 'unsaid' })
    expect(policy.because).toBe(`25; 30 were accepted in 0.03 s, once; ${early}`)
  })
})

test('who is stopped says what was seen by then', async () => {
  const stop = new AbortController()
  const options = server({ windowMs: 60_000 })
  let count = 0
  const { findings, because } = await holdClaims({
    ...options,
    async ask() {
      if (++count === 10) stop.abort()
      return options.ask()
    },
    ...{ signal: stop.signal, stopped: () => stop.signal.aborted }
  })
  expect(because).toBe('stopped on the way')
  expect(findings.map((one) => [one.field, one.because])).toEqual(
    ['RateLimit', 'RateLimit-Policy', 'X-Ratelimit-Reset'].map((field) => [field, because])
  )
})

describe('a limit that says the same again and again', () => {
  const told = (left: number) => ({ 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': `${left}` })

  /** Of one that takes all that comes one after another: so many left of those sent together. */
  async function because(leftTogether: (nth: number) => number) {
    const { ask: _, ...options } = server({})
    const answered = (left: number) => {
      const isTaken = left >= 0
      return reply(isTaken ? 200 : 429, { headers: told(Math.max(0, left)), json: { ok: isTaken } })
    }
    let asked = 0
    const { findings } = await holdClaims({
      ...options,
      async ask() {
        asked++
        return answered(19)
      },
      async together(count) {
        return Array.from({ length: count }, (_, nth) => answered(leftTogether(nth)))
      }
    })
    expect(findings.map(({ verdict }) => verdict)).toEqual(['unsaid', 'unsaid'])
    expect(asked).toBe(100)
    return findings[0]!.because
  }

  test('counts nothing, or fills faster than is asked', async () => {
    const all = '100 one after another and 40 together were accepted'
    expect(await because(() => 19)).toBe(
      `${all}, and none told that less than 19 were left: what was asked is not counted`
    )
    expect(await because((nth) => Math.max(3, 19 - nth))).toBe(
      `${all}, of which one told that 3 were left: it fills faster than is asked`
    )
    expect(await because((nth) => 24 - nth)).toBe(
      '100 one after another were accepted, 25 of 40 together: it fills faster than that is asked'
    )
  })
})
