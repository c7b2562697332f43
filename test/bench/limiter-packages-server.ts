// Serves limits that packages of npm enforce, each on a port of its own, and prints the ports.
// `node limiter-packages-server.ts FOLDER SETTINGS`: the folder has them installed.
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { LimiterSettings } from './limiter-packages.ts'

const [, , folder = '', written = '{}'] = process.argv
const settings = JSON.parse(written) as LimiterSettings
const load = createRequire(join(folder, 'package.json'))

/** An app of express with something before what answers. */
function express(middleware: unknown): Server {
  const app = load('express')()
  app.use(middleware)
  app.get('/', (_: unknown, response: { send: (text: string) => void }) => response.send('hello\n'))
  return createServer(app)
}

async function fastify(options: object): Promise<Server> {
  const app = load('fastify')()
  await app.register(load('@fastify/rate-limit'), { global: true, ...options })
  app.get('/', async () => 'hello\n')
  await app.ready()
  return app.server
}

function hono({ limit, windowMs }: { limit: number; windowMs: number }): Server {
  const { Hono } = load('hono')
  const { rateLimiter } = load('hono-rate-limiter')
  const app = new Hono()
  app.use(rateLimiter({ limit, windowMs, keyGenerator: () => 'everybody' }))
  app.get('/', (context: { text: (text: string) => Response }) => context.text('hello\n'))
  return createServer(load('@hono/node-server').getRequestListener(app.fetch))
}

/** What waits for a decision and answers it: 429 where it is rejected. */
function decided(decide: () => unknown): Server {
  const listener: RequestListener = async (_, response) => {
    try {
      await decide()
      response.end('hello\n')
    } catch {
      response.writeHead(429).end()
    }
  }
  return createServer(listener)
}

function flexible(options: { points: number; duration: number; blockDuration?: number }): Server {
  const { RateLimiterMemory } = load('rate-limiter-flexible')
  const limiter = new RateLimiterMemory(options)
  return decided(() => limiter.consume('everybody'))
}

function bottleneck({ minTime, highWater }: { minTime: number; highWater: number }): Server {
  const Bottleneck = load('bottleneck')
  const strategy = Bottleneck.strategy.OVERFLOW
  // Without it all are under way at once, each with a wait of its own, and none is in the queue.
  const maxConcurrent = 1
  const limiter = new Bottleneck({ minTime, highWater, strategy, maxConcurrent })
  return decided(() => limiter.schedule(async () => {}))
}

function bucket({ size, perSecond }: { size: number; perSecond: number }): Server {
  const { TokenBucket } = load('limiter')
  const limiter = new TokenBucket({ bucketSize: size, tokensPerInterval: perSecond, interval: 1e3 })
  return decided(() => {
    if (!limiter.tryRemoveTokens(1)) throw new Error('none left')
  })
}

function waiting({ limit, windowMs }: { limit: number; windowMs: number }): Server {
  const { RateLimiter } = load('limiter')
  const limiter = new RateLimiter({ tokensPerInterval: limit, interval: windowMs })
  return decided(() => limiter.removeTokens(1))
}

const { rateLimit } = load('express-rate-limit')
const { slowDown } = load('express-slow-down')
const { after, delayMs, windowMs } = settings.slowDown
const growing = settings.growing
const servers: Record<keyof LimiterSettings, Server> = {
  express: express(rateLimit({ ...settings.express, standardHeaders: 'draft-8' })),
  slowDown: express(slowDown({ windowMs, delayAfter: after, delayMs: () => delayMs })),
  growing: express(
    slowDown({
      ...{ windowMs: growing.windowMs, delayAfter: growing.after },
      delayMs: (used: number) => (used - growing.after) * growing.delayMs
    })
  ),
  flexible: flexible(settings.flexible),
  blocking: flexible(settings.blocking),
  fastify: await fastify(settings.fastify),
  exceeding: await fastify({ ...settings.exceeding, continueExceeding: true }),
  hono: hono(settings.hono),
  bottleneck: bottleneck(settings.bottleneck),
  bucket: bucket(settings.bucket),
  waiting: waiting(settings.waiting)
}
const ports: Record<string, number> = {}
for (const [name, server] of Object.entries(servers)) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  ports[name] = (server.address() as AddressInfo).port
}
console.log(JSON.stringify(ports))
