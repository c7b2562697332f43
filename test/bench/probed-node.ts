// Limits in a Node server, drawn by a seed: each simulated limiter in real time, and Node's own.
import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../src/random.ts'
import {
  ban,
  fixedAligned,
  fixedAnchored,
  type Limiter,
  leakyQueue,
  slidingCounter,
  slidingLog,
  slowDown,
  spaced,
  stacked,
  tokenBucket
} from '../limit/rate-limiters.ts'
import { answering, between, listen, type Probed, type Programs } from './probed-programs.ts'

function limited(decide: Limiter, refusal: { status: number; body: string }): RequestListener {
  return async (_, response) => {
    const taken = decide(performance.now())
    if (typeof taken === 'number') await sleep(taken)
    if (taken !== false) return response.end('hello\n')
    response.writeHead(refusal.status).end(refusal.body)
  }
}

/** Starts a server for each limiter. */
export async function startNode(next: Random, programs: Programs): Promise<Probed[]> {
  const many = () => between(next, 7, 60)
  const windowMs = () => 100 * between(next, 11, 50)
  const sized = () => ({ limit: many(), windowMs: windowMs(), phaseMs: 1_000 * next() })
  const kinds: [name: string, make: typeof tokenBucket, algorithm: string][] = [
    ['window of the clock', fixedAligned, 'fixed-window'],
    ['window from the first', fixedAnchored, 'fixed-window'],
    ['sliding log', slidingLog, 'sliding-log'],
    ['sliding counter', slidingCounter, 'sliding-counter'],
    ['token bucket', tokenBucket, 'token-bucket']
  ]
  const made: [string, Limiter, Record<string, unknown>, string?][] = kinds.map(
    ([name, make, algorithm]) => {
      const size = sized()
      const { limit: burst, windowMs } = size
      return [name, make(size), { algorithm, burst, windowMs }]
    }
  )
  const soft = sized()
  const truth = { algorithm: 'fixed-window', burst: soft.limit, windowMs: soft.windowMs }
  made.push(['softly refused', fixedAnchored(soft), { ...truth, status: 200 }, 'soft'])
  const slow = { limit: between(next, 3, 9), windowMs: 1_000, phaseMs: 0 }
  const spacing = { algorithm: 'token-bucket', burst: 1, perSecond: slow.limit }
  made.push(['spaced', spaced(slow), spacing])
  const queue = { perSecond: many(), free: between(next, 0, 9), queue: between(next, 15, 30) }
  const queued = { burst: queue.free + 1, queue: queue.queue - queue.free }
  const { perSecond } = queue
  made.push(['queue', leakyQueue(queue), { algorithm: 'leaky-queue', perSecond, ...queued }])
  const late = { after: many(), delayMs: 10 * between(next, 10, 30), windowMs: windowMs() }
  const { after: burst, delayMs } = late
  const slowed = { algorithm: 'slow-down', burst, delayMs }
  made.push(['slow-down', slowDown({ ...late, isGrowing: false }), slowed])
  const banned = { limit: many(), banMs: 1_000 * between(next, 130, 200) }
  const lasting = { because: /refused for at least \d+ s after \d+ at once/ }
  made.push(['long ban', ban({ ...banned, renews: false }), lasting])
  made.push(['renewing ban', ban({ ...banned, renews: true }), lasting])
  const short = { limit: many(), banMs: 100 * between(next, 50, 120) }
  const { banMs } = short
  const brief = { algorithm: 'ban', burst: short.limit, banMs }
  made.push(['ban', ban({ ...short, renews: false }), brief])
  const again = { limit: many(), banMs: 100 * between(next, 11, 60) }
  const renewed = { algorithm: 'ban', burst: again.limit, banMs: again.banMs }
  const because = /, renewed by every request: /
  made.push(['ban that asking renews', ban({ ...again, renews: true }), { ...renewed, because }])
  const outer = { limit: 100, windowMs: 20_000, phaseMs: 0 }
  const inner = { limit: 10, windowMs: 1_000, phaseMs: 0 }
  made.push([
    'two stacked',
    stacked(tokenBucket(inner), fixedAnchored(outer)),
    { algorithm: 'stacked' }
  ])
  made.push(['no limit', () => true, { algorithm: 'none' }])
  const rates = made.map(async ([name, decide, truth, soft]) => {
    const refusal = soft
      ? { status: 200, body: '{"error":"slow down"}' }
      : { status: 429, body: '' }
    const { port } = await listen(limited(decide, refusal), programs)
    return { name, url: `http://127.0.0.1:${port}/`, limits: 'rate', truth }
  })
  const atOnce = between(next, 5, 90)
  let held = 0
  const crowd = await listen((request, response) => {
    if (held >= atOnce) return response.writeHead(503).end()
    held++
    response.on('close', () => held--)
    return answering(request, response)
  }, programs)
  const largest = 1_024 * between(next, 9, 90)
  const plain = await listen(answering, programs, { maxHeaderSize: largest })
  const url = `http://127.0.0.1:${plain.port}/`
  const crowded = `http://127.0.0.1:${crowd.port}/`
  const whole = `the request target and all names and values of headers, less than`
  return [
    ...(await Promise.all(rates)),
    { name: 'requests at once', url: crowded, limits: 'concurrency', truth: { accepted: atOnce } },
    { name: 'heads', url, limits: 'headers', truth: { reading: [whole, largest] } }
  ].map((one) => ({ ...one, name: `Node, ${one.name}` }))
}
