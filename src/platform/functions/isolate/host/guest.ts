import { Worker } from 'node:worker_threads'
import type { Outcome } from '../contract.ts'
import {
  type FromGuest,
  type FromHost,
  faultOf,
  type GuestCode,
  type GuestData,
  type ToHost
} from '../message.ts'
import { exposedName, openSharedTurn, type SharedTurn } from '../shared-turn.ts'
import { createHost } from './host.ts'
import { attachInspector } from './inspector.ts'
import { openThreadClock } from './thread-clock.ts'

const quiet = ['ExperimentalWarning', 'SecurityWarning'].map((name) => `--disable-warning=${name}`)

/** What a host hears from the platform. */
export type Host = { take(message: ToHost): void }

const name = 'guest'

/** Has the guest's own modules come from what it was given: it can read nothing. */
const loader = `
import { registerHooks } from 'node:module'
import { workerData } from 'node:worker_threads'
const { modules, main } = workerData.code
registerHooks({
  resolve(specifier, context, next) {
    const url = URL.parse(specifier, context.parentURL)?.href
    return url in modules ? { url, format: 'module', shortCircuit: true } : next(specifier, context)
  },
  load: (url, context, next) =>
    url in modules
      ? { source: modules[url], format: 'module', shortCircuit: true }
      : next(url, context)
})
await import(main)
`
const entry = new URL(`data:text/javascript,${encodeURIComponent(loader)}`)

/**
 * The heap is allowed more than the limit: close to what V8 itself allows it would collect for
 * seconds, or end the thread with all that runs on it, before the excess could be looked at.
 */
const resourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 }

function startGuest(sharedTurn: SharedTurn, code: GuestCode): Worker {
  return new Worker(entry, {
    name,
    env: {},
    workerData: { sharedTurn: sharedTurn.buffer, code } satisfies GuestData,
    // Permissions take files, processes and threads from it; the inspector has to be given back.
    execArgv: ['--permission', '--allow-inspector', ...quiet],
    resourceLimits,
    stdin: false,
    stdout: true,
    stderr: true
  })
}

/** What it means that the thread has ended; what nobody foresaw is told on the way. */
function deathBy(error: NodeJS.ErrnoException): Outcome {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return 'exceededMemory'
  process.stderr.write(`${faultOf(error).stack}\n`)
  return 'internal'
}

/** Starts the guest's thread and takes it into enforcement. */
export async function hostGuest(platform: {
  code: GuestCode
  send(message: FromHost): void
  /** Says a last word and ends the process. */
  die(message: FromHost): void
}): Promise<Host> {
  const sharedTurn = openSharedTurn()
  const dying = (outcome: Outcome) => platform.die({ t: 'dying', outcome, invocation: 0 })
  const up = Promise.withResolvers<FromGuest>()
  let worker!: Worker
  const inspector = await attachInspector(
    () => {
      worker = startGuest(sharedTurn, platform.code)
      // Its first message may come before the inspector has it: nobody would hear it later.
      worker.once('message', up.resolve)
      worker.on('exit', () => dying('internal'))
      worker.on('error', (error) => dying(deathBy(error)))
    },
    () => dying('internal')
  )
  const { ownBytes } = (await up.promise) as Extract<FromGuest, { t: 'up' }>
  await inspector.hold(exposedName)
  const thread = openThreadClock(name)
  platform.send({ t: 'up' })
  const parts = { ...platform, worker, ownBytes, inspector, sharedTurn, thread }
  let host: Host | undefined
  return {
    take(message) {
      if (message.t === 'ping') platform.send({ t: 'pong' })
      else if (message.t === 'load') host = createHost({ ...parts, load: message })
      else host?.take(message)
    }
  }
}
