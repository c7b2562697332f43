// Limits of npm's packages behind headers that lie, and the same without the lie, each on a port
// of its own; prints the ports. `node lying-server.ts FOLDER SETTINGS`: has the packages installed.
import cluster from 'node:cluster'
import { on, once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LyingSettings } from './lying-servers.ts'

const [, , folder = '', written = '{}'] = process.argv
const { limit, windowMs, workers } = JSON.parse(written) as LyingSettings
const load = createRequire(join(folder, 'package.json'))

type Lie = (response: ServerResponse) => void

/** An app of express with its limiter, whose headers somebody changes at the last moment. */
function express(lie: Lie = () => {}, options: object = {}): Server {
  const app = load('express')()
  app.use((_: unknown, response: ServerResponse, next: () => void) => {
    const { writeHead } = response
    response.writeHead = (...args: unknown[]) => {
      lie(response)
      return Reflect.apply(writeHead, response, args)
    }
    next()
  })
  const { rateLimit } = load('express-rate-limit')
  app.use(rateLimit({ windowMs, limit, standardHeaders: 'draft-8', ...options }))
  app.get('/', (_: unknown, response: ServerResponse) => response.end('{"ok":true}'))
  return createServer(app)
}

function changed(name: string, change: (text: string) => string): Lie {
  return (response) => {
    const text = response.getHeader(name)
    if (text !== undefined) response.setHeader(name, change(String(text)))
  }
}

const remaining = changed('ratelimit', (text) => {
  return text.replace(/r=(\d+)/, (_, left) => `r=${Number(left) + 1}`)
})
/** A local time that was taken for that of the epoch. */
const epoch = changed('x-ratelimit-reset', (text) => String(Number(text) - 3_600))
const policy = changed('ratelimit-policy', (text) => text.replace(/q=\d+/, `q=${limit + 5}`))

const hidden: Lie = (response) => {
  if (response.statusCode === 429) return
  for (const name of response.getHeaderNames()) {
    if (name.includes('ratelimit')) response.removeHeader(name)
  }
}

/** Refuses with a status, and says in the body that it does. */
function refusing(status: number) {
  return (_: unknown, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":"slow down"}')
  }
}

/** A store that is somewhere else: each step takes a while, and another may come between them. */
function store({ isAtomic }: { isAtomic: boolean }) {
  let [start, count] = [Number.NEGATIVE_INFINITY, 0]
  return {
    async increment() {
      await sleep(2)
      const now = Date.now()
      if (now >= start + windowMs) [start, count] = [now, 0]
      const read = count
      if (!isAtomic) await sleep(2)
      count = (isAtomic ? count : read) + 1
      return { totalHits: count, resetTime: new Date(start + windowMs) }
    },
    decrement() {},
    resetKey() {}
  }
}

/** What each worker of a cluster serves, with a counter of its own or with that of all. */
function worker(isShared: boolean): Server {
  const { RateLimiterMemory, RateLimiterCluster } = load('rate-limiter-flexible')
  const options = { keyPrefix: 'lying', points: limit, duration: windowMs / 1_000 }
  const limiter = isShared
    ? new RateLimiterCluster({ ...options, timeoutMs: 3_000 })
    : new RateLimiterMemory(options)
  return createServer(async (_, response) => {
    const told = await limiter.consume('everybody').catch((refused: object) => refused)
    const isRefused = told.consumedPoints > limit
    response.setHeader('X-RateLimit-Limit', limit)
    response.setHeader('X-RateLimit-Remaining', told.remainingPoints)
    if (isRefused) response.setHeader('Retry-After', Math.ceil(told.msBeforeNext / 1_000))
    response.writeHead(isRefused ? 429 : 200).end(`{"ok":${!isRefused}}`)
  })
}

async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

async function clustered(): Promise<Record<string, number>> {
  const { RateLimiterClusterMaster } = load('rate-limiter-flexible')
  new RateLimiterClusterMaster()
  const forks = Array.from({ length: workers }, () => cluster.fork())
  const told = forks.map(async (fork) => {
    for await (const [message] of on(fork, 'message')) {
      // Its limiters write to the same channel.
      if (message.ports) return message.ports as Record<string, number>
    }
  })
  return (await Promise.all(told))[0] ?? {}
}

if (cluster.isPrimary) {
  const servers: Record<string, Server> = {
    'remaining off by one': express(remaining),
    'wrong epoch': express(epoch),
    'policy that differs': express(policy),
    'only on refusal': express(hidden),
    'soft refusal': express(undefined, { handler: refusing(200) }),
    'soft refusal, honest': express(undefined, { handler: refusing(429) }),
    race: express(undefined, { store: store({ isAtomic: false }) }),
    'race, honest': express(undefined, { store: store({ isAtomic: true }) })
  }
  for (const name of ['remaining off by one', 'wrong epoch', 'policy that differs']) {
    servers[`${name}, honest`] = express()
  }
  servers['only on refusal, honest'] = express()
  const ports: Record<string, number> = await clustered()
  for (const [name, server] of Object.entries(servers)) ports[name] = await listening(server)
  console.log(JSON.stringify(ports))
} else {
  // All workers of a cluster share the ports that they listen on in the same order.
  const names = ['counter of each process', 'counter of each process, honest']
  const ports: Record<string, number> = {}
  for (const [index, name] of names.entries()) ports[name] = await listening(worker(index === 1))
  process.send!({ ports })
}
