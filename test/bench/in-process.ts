// Whether limits of npm's packages are found in process, without a port, as `toLimit` looks for
// them: what is claimed as it is has to hold, one more or less not, and no limit not. Exit 1 where
// a claim is told wrongly. `node in-process.ts [--seed 1]`
import { spawn } from 'node:child_process'
import { createServer, type RequestListener } from 'node:http'
import { createRequire } from 'node:module'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { App } from '../../src/app/app.ts'
import { limits } from '../../src/app/claim.ts'
import { random } from '../../src/random.ts'
import { flagsOf } from '../usage.ts'
import { installedLimiters } from './limiter-packages.ts'
import { machine } from './machine.ts'
import { between } from './probed-programs.ts'

const { values } = flagsOf(import.meta.url, {
  options: { seed: { type: 'string', default: '1' }, only: { type: 'string', default: '' } }
})
const folder = installedLimiters()
if (folder === undefined) process.exit(1)
const load = createRequire(join(folder, 'package.json'))

type Size = { limit: number; windowMs: number }

function ofExpress(size?: Size): App {
  const app = load('express')()
  if (size) app.use(load('express-rate-limit').rateLimit({ ...size, validate: false }))
  app.get('/', (_: unknown, response: { send: (text: string) => void }) => response.send('ok'))
  return app
}

function ofHono(size: Size): App {
  const app = new (load('hono').Hono)()
  app.use(load('hono-rate-limiter').rateLimiter({ ...size, keyGenerator: () => 'everybody' }))
  app.get('/', (context: { text: (text: string) => Response }) => context.text('ok'))
  return app
}

function ofFlexible({ limit, windowMs }: Size): App {
  const { RateLimiterMemory } = load('rate-limiter-flexible')
  const limiter = new RateLimiterMemory({ points: limit, duration: windowMs / 1_000 })
  const listener: RequestListener = async (_, response) => {
    const isTaken = await limiter.consume('everybody').then(Boolean, () => false)
    response.writeHead(isTaken ? 200 : 429).end()
  }
  return createServer(listener)
}

async function ofFastify({ limit, windowMs }: Size): Promise<App> {
  const app = load('fastify')()
  await app.register(load('@fastify/rate-limit'), { max: limit, timeWindow: windowMs })
  app.get('/', async () => 'ok')
  await app.ready()
  return app.server
}

const next = random(Number(values.seed), 'in-process')
const makers = {
  'express-rate-limit': ofExpress,
  'hono-rate-limiter': ofHono,
  'rate-limiter-flexible': ofFlexible,
  '@fastify/rate-limit': ofFastify
}
const cases = Object.entries({ ...makers, none: ofExpress }).map(([name, make]) => {
  const limit = between(next, 8, 60)
  return { name, make, size: { limit, windowMs: 1_000 * between(next, 1, 4) } }
})

/** All claims of one limiter, in this process. */
async function claims(only: string): Promise<void> {
  const { name, make, size } = cases.find(({ name }) => name === only)!
  const { limit } = size
  for (const burst of name === 'none' ? [limit] : [limit, limit - 1, limit + 1]) {
    const app = name === 'none' ? ofExpress() : await make(size)
    const begun = performance.now()
    const claim = { burst, status: 429 }
    const { pass, isClear, seen } = await limits(app, claim)
    const isSo = name !== 'none' && burst === limit
    const told = !isClear ? 'unclear' : pass === isSo ? 'right' : 'WRONG'
    const seconds = ((performance.now() - begun) / 1_000).toFixed(0)
    const claimed = `${isSo ? '' : 'not '}${JSON.stringify(claim)}`
    console.log(`${told.padEnd(7)} ${seconds.padStart(4)} s  ${name}, ${claimed}: ${seen}`)
  }
  // Stores keep timers that nobody stops.
  process.exit()
}

if (values.only !== '') await claims(values.only)
console.log(`${machine()}; seed ${values.seed}`)
// Each has a process of its own, as a file of tests has, and waits most of the time.
const printed = await Promise.all(
  cases.map(async ({ name }) => {
    const own = [process.argv[1]!, '--seed', values.seed, '--only', name]
    const child = spawn(process.execPath, own, { stdio: ['ignore', 'pipe', 'inherit'] })
    const told = await text(child.stdout)
    process.stdout.write(told)
    return told
  })
)
const [right, unclear, wrong] = ['right', 'unclear', 'WRONG'].map((word) => {
  return printed
    .join('')
    .split('\n')
    .filter((line) => line.startsWith(word)).length
})
console.log(`\n${right} right, ${unclear} unclear, ${wrong} wrong`)
console.log(`load average at the end: ${loadavg().map((load) => load.toFixed(1))}`)
if (wrong! > 0) process.exitCode = 1
