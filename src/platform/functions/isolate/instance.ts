import { fork } from 'node:child_process'
import { getCompileCacheDir } from 'node:module'
import { extname } from 'node:path'
import { createBroker } from './broker.ts'
import type { DeployError, FunctionSpec, Outcome, Services } from './contract.ts'
import { createFlows } from './flow.ts'
import type { FromHost, ToHost, UsageMessage } from './message.ts'
import type { Network } from './network.ts'
import type { IsolateRules } from './rules.ts'
import type { OpenRun } from './run.ts'

/** A process that runs one version of a function, for as long as it lives. */
export type Instance = {
  /** Has it load a version, once; the error with which that ended, if it did. */
  load(spec: FunctionSpec): Promise<DeployError | undefined>
  /** Begins a run on it. */
  begin(run: OpenRun): void
  /** Whether it takes no more runs; it ends with the last one it has. */
  isCondemned(): boolean
  condemn(): void
  /** Runs that have not ended. */
  active(): number
  /** Ends it, and all that runs on it. */
  kill(): void
  /** Resolves when the process is no more. */
  exited: Promise<void>
}

const entry = new URL(`./host/main${extname(import.meta.url)}`, import.meta.url)

/** Bytes of what the process says about its own failure that are kept. */
const lastWordsBytes = 4_096

function startProcess() {
  return fork(entry, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { NODE_COMPILE_CACHE: getCompileCacheDir() ?? '' }
  })
}

/** Several messages as one: what becomes due together crosses together. */
function createOutbox(child: ReturnType<typeof startProcess>) {
  let outbox: ToHost[] = []
  return (message: ToHost) => {
    if (outbox.push(message) > 1) return
    setImmediate(() => {
      const messages = outbox
      outbox = []
      if (child.connected) child.send(messages, () => {})
    })
  }
}

/** Starts a process that waits for a function to run. */
export function startInstance(parts: {
  services: Services
  network: Network
  rules: IsolateRules
}): Instance {
  const child = startProcess()
  const send = createOutbox(child)
  const flows = createFlows(send)
  const broker = createBroker({ ...parts, flows, send })
  const runs = new Map<number, OpenRun>()
  const loading = Promise.withResolvers<DeployError | undefined>()
  const exited = Promise.withResolvers<void>()
  let begun = 0
  let isCondemned = false
  let dying: { outcome: Outcome; invocation: number } | undefined
  let lastWords = ''
  child.stderr!.on('data', (data) => {
    lastWords = (lastWords + data).slice(-lastWordsBytes)
  })

  const endIfIdle = () => {
    if (isCondemned && runs.size === 0) child.kill('SIGKILL')
  }
  const account = (id: number, usage?: UsageMessage) => {
    const run = runs.get(id)
    runs.delete(id)
    run?.account(usage)
    endIfIdle()
  }
  const condemn = () => {
    isCondemned = true
    endIfIdle()
  }
  /** What it means to the others that one of them took the process down. */
  const outcomeFor = (id: number, signal: NodeJS.Signals | null): Outcome => {
    if (signal === 'SIGABRT' || dying?.outcome === 'exceededMemory') return 'exceededMemory'
    return dying && dying.invocation === id ? dying.outcome : 'internal'
  }
  child.on('message', (messages) => {
    for (const message of messages as FromHost[]) hear(message)
  })
  child.on('error', () => {})
  child.on('exit', (_code, signal) => {
    isCondemned = true
    for (const [id, run] of [...runs]) {
      run.stop(outcomeFor(id, signal))
      account(id)
    }
    const message = lastWords || `The instance ended while it was starting (${signal}).`
    loading.resolve({ kind: signal === 'SIGABRT' ? 'startup-memory' : 'startup-error', message })
    exited.resolve()
  })
  function hear(message: FromHost) {
    if (message.t === 'loaded') loading.resolve(undefined)
    else if (message.t === 'refused') loading.resolve(message.error)
    else if (message.t === 'condemned') condemn()
    else if (message.t === 'dying') dying = message
    else if (message.t === 'usage') account(message.invocation, message)
    else if (message.t === 'stopped') runs.get(message.invocation)?.stop(message.outcome)
    else if (message.t === 'call') {
      const run = runs.get(message.invocation)
      if (run && !run.isOver()) void broker.call(message, run)
    } else if ('stream' in message) {
      if (message.t === 'cancel' && message.stream.startsWith('r'))
        broker.cancel(Number(message.stream.slice(1)))
      flows.take(message)
    } else if (message.t !== 'up') runs.get(message.invocation)?.act(message)
  }
  return {
    async load({ modules, main, env, limits }) {
      send({ t: 'load', spec: { modules, main, env, limits }, rules: parts.rules })
      return loading.promise
    },
    begin(run) {
      const id = ++begun
      runs.set(id, run)
      const drop = () => {
        broker.forget(id)
        send({ t: 'drop', invocation: id })
      }
      const event = run.begin({ flows, drop }, id)
      send({ t: 'start', invocation: id, allowanceMs: run.allowanceMs, event })
    },
    isCondemned: () => isCondemned,
    condemn,
    active: () => runs.size,
    kill() {
      isCondemned = true
      child.kill('SIGKILL')
    },
    exited: exited.promise
  }
}
