import { describe, expect, test } from 'vitest'
import { random } from '../../src/random.ts'
import { judgeLimiter, type StatedLimiter } from '../../src/scenario/limiter.ts'
import {
  fixedAligned,
  fixedAnchored,
  fixedTicked,
  type Limiter,
  ownCounter,
  slidingCounter,
  slidingLog,
  tickedBucket,
  tokenBucket
} from '../limit/rate-limiters.ts'
import { reply } from '../limit/replies.ts'
import { virtualClock } from '../limit/virtual-clock.ts'

/** What is said of a limiter over a connection of so many ms, on a clock nothing waits for. */
async function said(decide: Limiter, stated: StatedLimiter, seed: number, farMs = 2) {
  const next = random(seed, 'limiter')
  const { now, until } = virtualClock()
  const sinceMs = 1_000_000 + 100_000 * next()
  const onTheWay = () => until(now() + farMs * next())
  const clock = {
    now: () => sinceMs + now(),
    async until(time: number) {
      // A timer is late, on a busy machine now and then by much.
      const lateMs = 3 * next() + (next() < 0.02 ? 15 * farMs * next() : 0)
      if (time > sinceMs + now()) await until(time - sinceMs + lateMs)
    }
  }
  const ask = async () => {
    await onTheWay()
    const isTaken = decide(sinceMs + now()) === true
    await onTheWay()
    return reply(isTaken ? 200 : 429)
  }
  let told = ['nothing', '']
  const judge = {
    verify: (_: string, { holds, saw }: { holds: boolean; saw: string }) => {
      told = [holds ? 'holds' : 'fails', saw]
    },
    leave: (_: string, saw: string) => {
      told = ['open', saw]
    },
    observe: () => {}
  }
  const asked = { ...stated, clause: 'rate', ask, accepted: 200, refused: 429 }
  await judgeLimiter(asked, judge as never, clock)
  return told
}

const size = (limit: number, windowMs: number, phaseMs = 0) => ({ limit, windowMs, phaseMs })
const bucket = (limit: number, perSecond: number) => {
  return tokenBucket(size(limit, (1_000 * limit) / perSecond))
}

/** A bucket that knows what time it is only every so many ms. */
const ofTicks = (limit: number, perSecond: number, tickMs: number): Limiter => {
  const decide = bucket(limit, perSecond)
  return (ms) => decide(tickMs * Math.floor(ms / tickMs))
}

type Case = [
  name: string,
  StatedLimiter,
  same: [string, () => Limiter][],
  [string, () => Limiter][]
]

const cases: Case[] = [
  [
    'bucket of 20, 10 a second',
    { algorithm: 'token-bucket', burst: 20, windowMs: 1_998 },
    [
      ['same', () => bucket(20, 10)],
      ['tokens by a clock', () => tickedBucket(size(20, 2_000, 37))],
      ['time by ticks of 20 ms', () => ofTicks(20, 10, 20)]
    ],
    [
      ['21', () => bucket(21, 10)],
      ['19', () => bucket(19, 10)],
      ['11 a second', () => bucket(20, 11)],
      ['9 a second', () => bucket(20, 9)],
      ['a log', () => slidingLog(size(20, 2_000))],
      ['a window', () => fixedAnchored(size(20, 2_000))]
    ]
  ],
  [
    'bucket of 6, 1 a second',
    { algorithm: 'token-bucket', burst: 6, windowMs: 6_018 },
    [['same', () => bucket(6, 1)]],
    [
      ['7', () => bucket(7, 1)],
      ['1.1 a second', () => bucket(6, 1.1)],
      ['0.9 a second', () => bucket(6, 0.9)],
      ['2 a second', () => bucket(6, 2)]
    ]
  ],
  [
    'spacing of 4 a second',
    { algorithm: 'token-bucket', burst: 1, windowMs: 250.4 },
    [
      ['same', () => bucket(1, 4)],
      ['time by ticks of 5 ms', () => ofTicks(1, 4, 5)]
    ],
    [
      ['4.4 a second', () => bucket(1, 4.4)],
      ['3.6 a second', () => bucket(1, 3.6)],
      ['2 at once', () => bucket(2, 4)]
    ]
  ],
  [
    'bucket of 50, 50 a second',
    { algorithm: 'token-bucket', burst: 50, windowMs: 1_001 },
    [['same', () => bucket(50, 50)]],
    [
      ['51', () => bucket(51, 50)],
      ['49', () => bucket(49, 50)],
      ['52 a second', () => bucket(50, 52)],
      ['48 a second', () => bucket(50, 48)],
      ['a window', () => fixedAnchored(size(50, 1_000))]
    ]
  ],
  [
    'window of 40 in 2 s',
    { algorithm: 'fixed-window', burst: 40, windowMs: 2_003 },
    [
      ['same', () => fixedAnchored(size(40, 2_000))],
      ['of the clock', () => fixedAligned(size(40, 2_000, 1_234))]
    ],
    [
      ['41', () => fixedAnchored(size(41, 2_000))],
      ['39', () => fixedAligned(size(39, 2_000, 77))],
      ['2.2 s', () => fixedAnchored(size(40, 2_200))],
      ['1.8 s', () => fixedAligned(size(40, 1_800))]
    ]
  ],
  [
    'window of 20 in 3 s',
    { algorithm: 'fixed-window', burst: 20, windowMs: 2_998 },
    [
      ['same', () => fixedAnchored(size(20, 3_000))],
      ['of the clock', () => fixedAligned(size(20, 3_000, 1_234))]
    ],
    [
      ['21', () => fixedAnchored(size(21, 3_000))],
      ['19', () => fixedAligned(size(19, 3_000, 77))],
      ['3.3 s', () => fixedAnchored(size(20, 3_300))],
      ['2.7 s', () => fixedAligned(size(20, 2_700))],
      ['a log', () => slidingLog(size(20, 3_000))],
      ['a counter', () => slidingCounter(size(20, 3_000, 500))],
      ['a bucket', () => bucket(20, 6.67)],
      ['none', () => () => true]
    ]
  ],
  [
    'window of 25 in 5 whole seconds',
    { algorithm: 'fixed-window', burst: 25, windowMs: 4_500 },
    [['same', () => fixedTicked(size(25, 5_000, 600))]],
    [
      ['26', () => fixedTicked(size(26, 5_000, 600))],
      ['7 s', () => fixedTicked(size(25, 7_000, 600))]
    ]
  ],
  [
    'log of 9 in 3 s',
    { algorithm: 'sliding-log', burst: 9, windowMs: 3_003 },
    [['same', () => slidingLog(size(9, 3_000))]],
    [
      ['8', () => slidingLog(size(8, 3_000))],
      ['10', () => slidingLog(size(10, 3_000))],
      ['3.3 s', () => slidingLog(size(9, 3_300))],
      ['a window', () => fixedAnchored(size(9, 3_000))]
    ]
  ],
  [
    'counter of 20 in 2 s',
    { algorithm: 'sliding-counter', burst: 20, windowMs: 2_005 },
    [
      ['same', () => slidingCounter(size(20, 2_000, 333))],
      ['from the first', () => ownCounter(size(20, 2_000))]
    ],
    [
      ['21', () => slidingCounter(size(21, 2_000, 333))],
      ['19', () => slidingCounter(size(19, 2_000, 1_333))],
      ['2.2 s', () => slidingCounter(size(20, 2_200, 333))],
      ['a window', () => fixedAligned(size(20, 2_000, 5))]
    ]
  ]
]

describe.each(cases)('a %s', (_, stated, same, others) => {
  test.each(same)('holds against it: %s', async (_, make) => {
    for (const seed of [1, 2]) expect((await said(make(), stated, seed))[0]).toBe('holds')
  })

  test.each(others)('fails against another: %s', async (_, make) => {
    expect((await said(make(), stated, 1))[0]).toBe('fails')
  })
})

test('a busy machine tells less, and nothing that is wrong', async () => {
  const [, stated] = cases[0]!
  const told = async (make: () => Limiter) => {
    const seeds = [1, 2, 3, 4, 5]
    return (await Promise.all(seeds.map((seed) => said(make(), stated, seed, 30)))).map(
      ([one]) => one
    )
  }
  expect(await told(() => bucket(20, 10))).not.toContain('fails')
  // By the clock that this one has, all eight times it can have been one of 21 and 9.8 a second.
  const ticked = [3, 15, 16, 20, 24].map((seed) => {
    return said(tickedBucket(size(20, 2_000, (seed * 37) % 100)), stated, seed, 30)
  })
  expect((await Promise.all(ticked)).map(([one]) => one)).not.toContain('fails')
  expect(await told(() => bucket(20, 11))).not.toContain('holds')
  expect(await told(() => bucket(21, 10))).not.toContain('holds')
})

test('of a bucket that fills while one is asked several are asked at once', async () => {
  const [, stated] = cases.find(([name]) => name.startsWith('bucket of 50'))!
  for (const seed of [1, 2]) expect((await said(bucket(50, 50), stated, seed, 15))[0]).toBe('holds')
  expect((await said(bucket(50, 52), stated, 3, 15))[0]).toBe('fails')
})

test('who asks more slowly than it comes back is told nothing', async () => {
  const stated = { algorithm: 'token-bucket' as const, burst: 50, windowMs: 20 }
  const [verdict, saw] = await said(bucket(50, 2_500), stated, 1, 200)
  expect([verdict, saw]).toEqual(['open', expect.stringMatching(/would do the same$/)])
})

test('what was seen is told with what would do so', async () => {
  const [, stated] = cases[0]!
  const [, saw] = await said(bucket(20, 11), stated, 1)
  expect(saw).toMatch(
    /^20, 20 were accepted at once; token bucket: 20 at once, then 1\d(\.\d)? to 11/
  )
})
