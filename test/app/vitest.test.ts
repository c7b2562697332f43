import { createServer, type RequestListener } from 'node:http'
import express from 'express'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { askerOf } from '../../src/app/app.ts'
import { assertAcceptsUpTo, assertLimits } from '../../src/app/claim.ts'
import { boundary, KiB, limiter } from '../../src/vitest.ts'
import { listen } from '../client/servers.ts'
import { ban, fixedAnchored, type Limiter, tokenBucket } from '../limit/rate-limiters.ts'

/** Time that passes when it is waited for, and not at all otherwise. */
function movedClock() {
  let now = 1_000_000
  return {
    now: () => now,
    async until(time: number) {
      now = Math.max(now, time)
    }
  }
}

/** A Hono app with a limiter: by default one that takes 20 at once and ten a second. */
function limited(decide: Limiter = tokenBucket({ limit: 20, windowMs: 2_000, phaseMs: 0 })) {
  const clock = movedClock()
  const app = new Hono()
  app.get('/', (c) => (decide(clock.now()) ? c.json({ ok: true }) : c.json({ error: 'no' }, 429)))
  return { app, clock }
}

const sized: RequestListener = async (request, response) => {
  let bytes = 0
  for await (const part of request) bytes += part.length
  response.writeHead(bytes > 64 * KiB ? 413 : 200).end()
}

test('a limiter in this process is found in no time', async () => {
  const { app, clock } = limited()
  await expect(app).toLimit({ burst: 20, perSecond: 10, status: 429 }, { clock })
  await expect(app).not.toLimit({ burst: 21, perSecond: 10 }, { clock })
  expect(await limiter(app, { clock })).toMatchObject({ algorithm: 'token-bucket', burst: 20 })
})

test('what is not as claimed says what was found', async () => {
  const { app, clock } = limited()
  await expect(expect(app).toLimit({ burst: 19 }, { clock })).rejects.toThrow(
    /after 20 at once, one every 100 ms.* refused by 429/
  )
  await expect(assertLimits(app, { perSecond: 11 }, { clock })).rejects.toThrow(/perSecond/)
  await assertLimits(app, { perSecond: 10 }, { clock })
})

test('bursts of one and of two can be asked about', async () => {
  const one = limited(tokenBucket({ limit: 1, windowMs: 5_000, phaseMs: 0 }))
  await expect(one.app).toLimit({ burst: 1, perSecond: 0.2, status: 429 }, { clock: one.clock })
  await expect(one.app).not.toLimit({ burst: 2, perSecond: 0.2 }, { clock: one.clock })
  const two = limited(fixedAnchored({ limit: 2, windowMs: 1_000, phaseMs: 0 }))
  await expect(two.app).toLimit({ burst: 2, perSecond: 2, status: 429 }, { clock: two.clock })
  await expect(two.app).not.toLimit({ burst: 1, perSecond: 2 }, { clock: two.clock })
})

test('what was asked to learn what is usual is counted in what is said', async () => {
  let left = 7
  const { app, clock } = limited(() => left-- > 0)
  const { because } = await limiter(app, { clock })
  expect(because).toMatch(/ after 4 at once and 3 before: .*; 7 of [\d,]+ were accepted in all/)
})

test('a boundary of a handler, and of a server that listens or does not', async () => {
  await expect(sized).toAcceptUpTo(64 * KiB, { status: 413 })
  await expect(createServer(sized)).toAcceptUpTo(64 * KiB)
  await expect(await listen(createServer(sized))).toAcceptUpTo(64 * KiB)
  await expect(sized).not.toAcceptUpTo(64 * KiB - 1)
  await expect(assertAcceptsUpTo(sized, 1_000)).rejects.toThrow(
    'expected up to 1000, found 4000 accepted, nothing refused'
  )
})

test('an Express app, with what its parser takes', async () => {
  const app = express()
  // Of any type, but of one: it passes over what has none.
  app.use(express.raw({ limit: 3_000, type: '*/*' }))
  app.post('/upload', (_, response) => void response.end('ok'))
  const found = await boundary(app, { path: '/upload', expected: 3_000 })
  expect(found).toMatchObject({ kind: 'found', accepted: 3_000, rejected: 3_001, status: 413 })
})

test('what is asked at once comes one in a turn, as over a socket', async () => {
  const count = { used: 0 }
  // As stores do that hand out what they count in, and are awaited.
  const taken = async () => {
    count.used++
    await Promise.resolve()
    return count.used <= 20
  }
  const handle = async () => new Response('', { status: (await taken()) ? 200 : 429 })
  const server: RequestListener = async (_, response) => {
    response.writeHead((await taken()) ? 200 : 429).end()
  }
  for (const app of [handle, server, createServer(server)]) {
    count.used = 0
    const { ask, close } = askerOf(app)
    const all = Array.from({ length: 32 }, () => ask({ method: 'GET', path: '/' }))
    const served = (await Promise.all(all)).filter(({ status }) => status === 200)
    expect(served).toHaveLength(20)
    await close()
  }
})

test('a header and a URL, of a function from Request to Response', async () => {
  const handle = ({ url, headers }: Request) => {
    const isLong =
      new URL(url).href.length > 2_021 || (headers.get('x-plimsoll')?.length ?? 0) > 500
    return new Response('', { status: isLong ? 431 : 200 })
  }
  await expect(handle).toAcceptUpTo(500, { of: 'header' })
  const { accepted } = await boundary(handle, { of: 'url', expected: 2_000 })
  expect(accepted).toBe(2_021 - 'http://127.0.0.1'.length)
})

test('an app without a limit has none that is claimed, however slow it is', async () => {
  const clock = movedClock()
  // 100 a second are far from the 1,000 that show that there is none at all.
  const slow = async () => {
    await clock.until(clock.now() + 9)
    return new Response('')
  }
  await expect(slow).not.toLimit({ burst: 9 }, { clock })
  await expect(slow).not.toLimit({ burst: 20, perSecond: 10 }, { clock })
  const { because } = await limiter(slow, { clock })
  expect(because).toMatch(/all .* were accepted, but it was not asked fast enough.*\(upTo\)$/)
  expect(because).not.toMatch(/--/)
})

test('who does not answer has no limits', async () => {
  let count = 0
  const fickle = () => new Response('', { status: count++ % 2 ? 200 : 500 })
  await expect(limiter(fickle)).rejects.toThrow('does not answer as usual')
  await expect(limiter(() => new Response('', { status: 503 }))).rejects.toThrow('answered 503')
  const silent = () => new Promise<Response>(() => {})
  await expect(limiter(silent, { patienceMs: 9 })).rejects.toThrow('not answer GET / in 9 ms')
  await expect(limiter(7 as never)).rejects.toThrow('neither a URL')
})

const [minuteMs, dayMs] = [60_000, 86_400_000]

test.each([
  [100, 15 * minuteMs],
  [5, 5 * minuteMs],
  [3, dayMs],
  [1, dayMs]
])('%i in %i ms are proved where time is moved by hand', async (limit, windowMs) => {
  const claim = { burst: limit, perSecond: (1_000 * limit) / windowMs }
  const shown = async (size: { limit?: number; windowMs?: number }) => {
    const decide = fixedAnchored({ limit, windowMs, phaseMs: 0, ...size })
    const { app, clock } = limited(decide)
    await expect(app).toLimit(claim, { clock })
  }
  await shown({})
  // One that is called again within a window counts from another request on.
  await expect(shown({ limit: limit + 1 })).rejects.toThrow(
    `found fixed window: after ${limit + 1}`
  )
  await expect(shown({ windowMs: 1.05 * windowMs })).rejects.toThrow('found')
  await expect(shown({ windowMs: 0.95 * windowMs })).rejects.toThrow('found')
})

test('a ban of an hour is found where time is moved by hand', async () => {
  const { app, clock } = limited(ban({ limit: 20, banMs: 60 * minuteMs, renews: false }))
  expect(await limiter(app, { clock })).toMatchObject({ algorithm: 'ban', burst: 20 })
})

test('what is unclear shows no claim to be false', async () => {
  let left = 20
  const { app, clock } = limited(() => left-- > 0)
  await expect(expect(app).not.toLimit({ burst: 20 }, { clock })).rejects.toThrow(
    /refused for at least 291 days .* not decided in 291 days by the clock given/
  )
  const crowded = async (request: Request) => {
    const isLarge = (await request.arrayBuffer()).byteLength > 500
    return new Response('', { status: isLarge ? 503 : 200 })
  }
  await expect(expect(crowded).not.toAcceptUpTo(1_000)).rejects.toThrow('503')
})

test('a URL is asked with its own path, whatever of it is measured', async () => {
  const paths = new Set<string>()
  const server = createServer(({ url }, response) => {
    paths.add(url!.slice(0, 8))
    response.writeHead(url!.length > 300 ? 414 : 200).end()
  })
  const url = `${await listen(server)}/upload`
  await expect(url).toAcceptUpTo(300, { of: 'url', status: 414 })
  await boundary(url, { expected: 300, ceiling: 310 })
  expect([...paths]).toEqual(['/upload?', '/upload'])
  await boundary(url, { path: '/', expected: 300, ceiling: 310 })
  expect(paths).toContain('/')
})
