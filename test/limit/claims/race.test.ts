import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { type Client, createClient, type RawRequest } from '../../../src/client/client.ts'
import type { Reply } from '../../../src/client/reply.ts'
import { against } from '../../../src/limit/baseline.ts'
import { holdClaims } from '../../../src/limit/claims/hold-claims.ts'
import { race } from '../../../src/limit/claims/race.ts'
import { random } from '../../../src/random.ts'
import { serve } from '../../client/servers.ts'
import {
  fixedAligned,
  fixedAnchored,
  type Limiter,
  slidingCounter,
  slidingLog,
  tokenBucket
} from '../rate-limiters.ts'
import { reply } from '../replies.ts'
import { virtualClock } from '../virtual-clock.ts'

const limit = 8

test.each([
  [true, 'false', /^8 allowed, \d+ let through; more in \d+ of 20 bursts/],
  [false, 'true', /^8 allowed, more in none of 20 bursts/]
] as const)('a count that is written back later: %s', async (isLate, verdict, because) => {
  let count = 0
  const url = await serve(async (_, response) => {
    const read = count
    // Who reads and writes in one turn of the loop has nothing come in between.
    if (isLate) await sleep(10)
    count = read + 1
    response.writeHead(read < limit ? 200 : 429).end()
  })
  const client = createClient({ endpoint: { url } })
  onTestFinished(client.close)
  // Each rest brings all back, however long the machine takes for it.
  const clock = {
    now: () => 0,
    async until() {
      count = 0
    }
  }
  const found = await race({
    ...{
      client,
      clock,
      level: limit,
      least: limit,
      most: limit,
      restMs: 1,
      tookMs: 0,
      isRefilled: false,
      stopped: () => false
    },
    ...{ question: { method: 'GET', path: '/' }, ask: () => client.get('/') },
    judge: (reply) => against(reply, { status: 200, slowestMs: 1 }, { crowding: [] })
  })
  expect(found).toMatchObject({ field: 'race', verdict, because: expect.stringMatching(because) })
})

test.each([
  ['window', fixedAnchored],
  ['sliding log', slidingLog],
  ['sliding counter', slidingCounter],
  ['token bucket', tokenBucket],
  ['window of the clock', fixedAligned]
] as const)('no honest %s is accused for answers that fail', async (_, limiter) => {
  const next = random(71)
  for (let nth = 0; nth < 12; nth++) {
    const clock = virtualClock()
    const limit = 5 + Math.floor(60 * next())
    const decide = limiter({ limit, windowMs: 300 + 5_000 * next(), phaseMs: 1_000 * next() })
    const slowMs = 60 * next()
    const send = async ({ beforeLastByte }: Partial<RawRequest> = {}) => {
      await beforeLastByte?.()
      await clock.until(clock.now() + 0.5 + slowMs * next())
      const isTaken = decide(clock.now()) === true
      // One in fifty fails after it has been counted.
      if (next() < 0.02) return reply(503)
      return reply(isTaken ? 200 : 429)
    }
    const judge = (one: Reply) => against(one, { status: 200, slowestMs: 1 }, { crowding: [] })
    const asking = { judge, clock, stopped: () => false }
    const most = { mostRequests: 3_000, mostWaitMs: 60_000 }
    const held = await holdClaims({ ...asking, ...most, ask: send })
    if (held.level === undefined) continue
    const client = { send } as Partial<Client> as Client
    const question = { method: 'GET', path: '/' }
    const asked = { ...asking, ask: send, client, question, ...held, level: held.level }
    const found = await race(asked)
    expect(found.verdict, `${limit}: ${found.because}`).not.toBe('false')
  }
})

/** What is said of a limiter whose answers take up to so many ms, and which leaks in a crowd. */
async function racedWith(decide: Limiter, { slowMs, leak }: { slowMs: number; leak: number }) {
  const next = random(72)
  const clock = virtualClock()
  let then = Number.NEGATIVE_INFINITY
  const send = async ({ beforeLastByte }: Partial<RawRequest> = {}) => {
    await beforeLastByte?.()
    await clock.until(clock.now() + 0.5 + slowMs * next())
    const isCrowded = clock.now() - then < 0.5
    then = clock.now()
    const isTaken = decide(clock.now()) === true || (isCrowded && next() < leak)
    return reply(isTaken ? 200 : 429)
  }
  const judge = (one: Reply) => against(one, { status: 200, slowestMs: 1 }, { crowding: [] })
  const asking = { judge, clock, stopped: () => false, ask: send }
  const most = { mostRequests: 3_000, mostWaitMs: 60_000 }
  const held = await holdClaims({ ...asking, ...most })
  const client = { send } as Partial<Client> as Client
  const question = { method: 'GET', path: '/' }
  const found = await race({ ...asking, client, question, ...held, level: held.level! })
  return { ...found, isRefilled: held.isRefilled }
}

test('a leak shows behind what is back while one after another is asked', async () => {
  for (const [limit, windowMs, slowMs] of [
    [30, 1_500, 40],
    [20, 500, 30]
  ] as const) {
    const bucket = () => tokenBucket({ limit, windowMs, phaseMs: 0 })
    const honest = await racedWith(bucket(), { slowMs, leak: 0 })
    expect(honest, honest.because).toMatchObject({ verdict: 'true', isRefilled: true })
    const leaking = await racedWith(bucket(), { slowMs, leak: 0.4 })
    expect(leaking, leaking.because).toMatchObject({ verdict: 'false' })
  }
})

test('a leak shows in a window that ends while one after another is asked', async () => {
  for (const [limit, windowMs, slowMs] of [
    [12, 1_000, 60],
    [30, 2_000, 80],
    [20, 600, 30],
    [25, 5_000, 40]
  ] as const) {
    for (const limiter of [fixedAligned, fixedAnchored]) {
      for (const phaseMs of [0, 370]) {
        const window = () => limiter({ limit, windowMs, phaseMs })
        const honest = await racedWith(window(), { slowMs, leak: 0 })
        const told = `${limiter.name} ${limit} ${windowMs} ${phaseMs}`
        expect(honest, `${told}: ${honest.because}`).toMatchObject({
          verdict: 'true',
          because: expect.stringMatching(new RegExp(`^${limit} allowed, more in none`))
        })
        const leaking = await racedWith(window(), { slowMs, leak: 0.4 })
        expect(leaking, `${told}: ${leaking.because}`).toMatchObject({ verdict: 'false' })
      }
    }
  }
})

test('processes that chance chooses from are no race', async () => {
  for (const windowMs of [900, 3_000]) {
    const next = random(73)
    const each = [1, 2, 3].map(() => fixedAnchored({ limit: 10, windowMs, phaseMs: 0 }))
    const found = await racedWith((ms) => each[Math.floor(3 * next())]!(ms), { slowMs: 2, leak: 0 })
    expect(found.verdict, found.because).not.toBe('false')
  }
})

test('no limiter is taken for a bucket that is none', async () => {
  for (const limiter of [fixedAnchored, fixedAligned, slidingLog, slidingCounter]) {
    for (const windowMs of [400, 900, 2_500]) {
      const decide = limiter({ limit: 25, windowMs, phaseMs: 300 })
      const found = await racedWith(decide, { slowMs: 20, leak: 0 })
      expect(found.verdict, `${limiter.name} ${windowMs}: ${found.because}`).not.toBe('false')
    }
  }
})
