// Limiters as npm has them, with settings drawn by a seed: installed into a cache of the bench's
// own on its first run, so that nobody else pays for them.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../src/random.ts'
import { between, type Probed, type Programs } from './probed-programs.ts'

/** What each is set to; sizes in requests, times in ms but for those of `flexible`, in seconds. */
export type LimiterSettings = {
  express: { limit: number; windowMs: number }
  slowDown: { after: number; delayMs: number; windowMs: number }
  growing: { after: number; delayMs: number; windowMs: number }
  flexible: { points: number; duration: number }
  blocking: { points: number; duration: number; blockDuration: number }
  fastify: { max: number; timeWindow: number }
  exceeding: { max: number; timeWindow: number }
  hono: { limit: number; windowMs: number }
  bottleneck: { minTime: number; highWater: number }
  bucket: { size: number; perSecond: number }
  waiting: { limit: number; windowMs: number }
}

const packages = {
  '@fastify/rate-limit': '11.2.0',
  '@hono/node-server': '2.1.8',
  bottleneck: '2.19.5',
  express: '5.3.0',
  'express-rate-limit': '8.7.5',
  'express-slow-down': '3.1.1',
  fastify: '5.12.8',
  hono: '4.13.19',
  'hono-rate-limiter': '0.5.4',
  limiter: '4.1.0',
  'rate-limiter-flexible': '11.4.0'
}

const cache = new URL('../../node_modules/.cache/limiter-packages', import.meta.url).pathname

/** The folder where they are installed; undefined where npm could not be asked for them. */
export function installedLimiters(): string | undefined {
  const file = join(cache, 'package.json')
  const wanted = JSON.stringify({ private: true, dependencies: packages })
  const isThere = existsSync(join(cache, 'node_modules')) && existsSync(file)
  if (isThere && readFileSync(file, 'utf8') === wanted) return cache
  mkdirSync(cache, { recursive: true })
  writeFileSync(file, wanted)
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  const { status } = spawnSync('npm', args, { cwd: cache, stdio: 'ignore' })
  if (status === 0) return cache
  console.log('npm could not install the limiters, which are left out')
  return
}

/** Starts a Node that serves at several ports, and resolves to them, by name, as it prints them. */
export async function startOnPorts<Name extends string>(
  args: readonly string[],
  stops: Programs['stops']
): Promise<Record<Name, number>> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  stops.push(() => {
    child.kill('SIGTERM')
    return ended
  })
  const over = ended.then(() => {
    throw new Error(`${args[0]} ended before it served anything`)
  })
  const [printed] = await Promise.race([once(child.stdout, 'data'), over])
  return JSON.parse(String(printed))
}

/** Starts one server of all of them. */
export async function startLimiterPackages(next: Random, { stops }: Programs): Promise<Probed[]> {
  const folder = installedLimiters()
  if (!folder) return []
  const sized = () => ({ limit: between(next, 7, 60), windowMs: 100 * between(next, 11, 50) })
  const seconds = () => ({ points: between(next, 7, 60), duration: between(next, 1, 5) })
  const slow = () => ({ after: between(next, 7, 60), windowMs: 100 * between(next, 35, 70) })
  const fastify = sized()
  const exceeding = sized()
  const settings: LimiterSettings = {
    express: sized(),
    slowDown: { ...slow(), delayMs: 10 * between(next, 10, 30) },
    growing: { ...slow(), delayMs: 10 * between(next, 5, 20) },
    flexible: seconds(),
    blocking: { points: between(next, 7, 60), duration: 1, blockDuration: between(next, 6, 12) },
    fastify: { max: fastify.limit, timeWindow: fastify.windowMs },
    exceeding: { max: exceeding.limit, timeWindow: exceeding.windowMs },
    hono: sized(),
    bottleneck: { minTime: between(next, 25, 200), highWater: between(next, 10, 30) },
    bucket: { size: between(next, 5, 40), perSecond: between(next, 3, 30) },
    waiting: sized()
  }
  const server = new URL('limiter-packages-server.ts', import.meta.url).pathname
  const args = [server, folder, JSON.stringify(settings)]
  const ports = await startOnPorts<keyof LimiterSettings>(args, stops)
  const truths = truthsOf(settings)
  return (Object.keys(truths) as (keyof LimiterSettings)[]).map((key) => {
    const [name, truth] = truths[key]
    return { name: `npm, ${name}`, url: `http://127.0.0.1:${ports[key]}/`, limits: 'rate', truth }
  })
}

function truthsOf(
  settings: LimiterSettings
): Record<keyof LimiterSettings, [name: string, truth: Probed['truth']]> {
  const { express, slowDown, growing, flexible, blocking, fastify, exceeding } = settings
  const { hono, bottleneck, bucket, waiting } = settings
  const window = (burst: number, windowMs: number) => {
    return { algorithm: 'fixed-window', burst, windowMs, status: 429 }
  }
  const slowed = ({ after, delayMs }: LimiterSettings['slowDown'], because: RegExp) => {
    return { algorithm: 'slow-down', burst: after, delayMs, because }
  }
  return {
    express: ['express-rate-limit', window(express.limit, express.windowMs)],
    slowDown: [
      'express-slow-down, even',
      slowed(slowDown, / at once, each later by [\d.,]+ ms(?! more)/)
    ],
    growing: [
      'express-slow-down, growing',
      slowed(growing, / at once, each later by [\d.,]+ ms more/)
    ],
    flexible: ['rate-limiter-flexible', window(flexible.points, 1_000 * flexible.duration)],
    blocking: [
      'rate-limiter-flexible, block',
      { algorithm: 'ban', burst: blocking.points, banMs: 1_000 * blocking.blockDuration }
    ],
    fastify: ['@fastify/rate-limit', window(fastify.max, fastify.timeWindow)],
    exceeding: [
      '@fastify/rate-limit, exceeding',
      {
        ...{ algorithm: 'ban', burst: exceeding.max, banMs: exceeding.timeWindow },
        because: /, renewed by every request: /
      }
    ],
    hono: ['hono-rate-limiter', window(hono.limit, hono.windowMs)],
    bottleneck: [
      'Bottleneck',
      {
        ...{ algorithm: 'leaky-queue', burst: 1, perSecond: 1_000 / bottleneck.minTime },
        // One more waits for its time, which is in the queue no more.
        queue: bottleneck.highWater + 1
      }
    ],
    bucket: [
      'limiter',
      { algorithm: 'token-bucket', burst: bucket.size, perSecond: bucket.perSecond }
    ],
    waiting: [
      'limiter, waiting',
      { algorithm: 'queued-window', burst: waiting.limit, windowMs: waiting.windowMs }
    ]
  }
}
