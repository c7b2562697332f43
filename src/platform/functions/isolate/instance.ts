import { createBroker } from './broker.ts'
import type { DeployError, FunctionSpec, Outcome, Services } from './contract.ts'
import { createFlows } from './flow.ts'
import type { FromHost, UsageMessage } from './message.ts'
import type { Network } from './network.ts'
import { type Exit, startProcess } from './process.ts'
import type { IsolateRules } from './rules.ts'
import type { OpenRun } from './run.ts'

/** A process that runs one version of a function, for as long as it lives. */
export type Instance = {
  /** Has it load a version, once; the error with which that ended, if it did. */
  load(spec: FunctionSpec): Promise<DeployError | undefined>
  /** Begins a run on it. */
  begin(run: OpenRun): void
  /** Whether it is to be given to nobody else. */
  isCondemned(): boolean
  /** Whether it can run nothing more, not even for those who have waited for it to start. */
  isOver(): boolean
  /** Has it be given to nobody else; it ends with the last run it has. */
  condemn(): void
  /** Ends it, and all that runs on it. */
  kill(): void
  /** Resolves when the process is no more. */
  exited: Promise<void>
}

type Dying = Extract<FromHost, { t: 'dying' }>

/** A process that says nothing for so long, on however slow a machine, will never say anything. */
const startPatienceMs = 30_000

/** Starts a process that waits for a function to run. */
export function startInstance(parts: {
  services: Services
  network: Network
  rules: IsolateRules
}): Instance {
  const { send, kill, exited } = startProcess((message) => hear(message))
  const flows = createFlows(send)
  const broker = createBroker({ ...parts, flows, send })
  const runs = createRuns(() => tenure.leave())
  const tenure = createTenure({ isIdle: () => runs.all.size === 0, kill })
  const loading = Promise.withResolvers<DeployError | undefined>()
  let dying: Dying | undefined

  function hear(message: FromHost) {
    if (message.t === 'up') return
    if (message.t === 'loaded') loading.resolve(undefined)
    else if (message.t === 'refused') loading.resolve(message.error)
    else if (message.t === 'condemned') tenure.distrust()
    else if (message.t === 'dying') dying = message
    else if (message.t === 'call') {
      const run = runs.all.get(message.invocation)
      if (run && !run.isOver()) void broker.call(message, run)
    } else if ('stream' in message) {
      const isResult = message.t === 'cancel' && message.stream.startsWith('r')
      if (isResult) broker.cancel(Number(message.stream.slice(1)))
      else flows.take(message)
    } else runs.hear(message)
  }
  const end = (exit: Exit) => {
    tenure.end()
    runs.end((id) => outcomeFor(id, exit, dying))
    loading.resolve(startFailure(exit))
  }
  return {
    async load({ modules, main, env, limits }) {
      send({ t: 'load', spec: { modules, main, env, limits }, rules: parts.rules })
      const unanswered = setTimeout(kill, startPatienceMs)
      const error = await tenure.during(loading.promise)
      clearTimeout(unanswered)
      return error
    },
    begin(run) {
      const id = runs.add(run)
      const drop = () => {
        broker.forget(id)
        send({ t: 'drop', invocation: id })
      }
      const event = run.begin({ flows, drop }, id)
      send({ t: 'start', invocation: id, allowanceMs: run.allowanceMs, event })
    },
    isCondemned: tenure.isCondemned,
    isOver: tenure.isOver,
    condemn: tenure.condemn,
    kill() {
      tenure.end()
      kill()
    },
    exited: exited.then(end)
  }
}

/** For how long an instance is given to whoever asks, and when it is let go. */
function createTenure({ isIdle, kill }: { isIdle: () => boolean; kill: () => void }) {
  let isCondemned = false
  let isOver = false
  let isLoading = false
  const leave = () => {
    if (isCondemned && !isLoading && isIdle()) kill()
  }
  const condemn = () => {
    isCondemned = true
    leave()
  }
  return {
    isCondemned: () => isCondemned,
    isOver: () => isOver,
    leave,
    condemn,
    /** It has gone too far to be given to anybody, even to those who have waited for it. */
    distrust() {
      isOver = true
      condemn()
    },
    end() {
      isCondemned = isOver = true
    },
    /** Keeps it until it has started, and for those who have waited for that. */
    async during<Started>(start: Promise<Started>): Promise<Started> {
      isLoading = true
      const started = await start
      isLoading = false
      setImmediate(leave)
      return started
    }
  }
}

/** The runs of an instance by number, until each has been recorded. */
function createRuns(onEmpty: () => void) {
  const all = new Map<number, OpenRun>()
  let begun = 0
  const account = (id: number, usage?: UsageMessage) => {
    const run = all.get(id)
    all.delete(id)
    run?.account(usage)
    if (all.size === 0) onEmpty()
  }
  return {
    all,
    add(run: OpenRun): number {
      all.set(++begun, run)
      return begun
    },
    hear(message: Parameters<OpenRun['act']>[0] | UsageMessage | (FromHost & { t: 'stopped' })) {
      if (message.t === 'usage') account(message.invocation, message)
      else if (message.t === 'stopped') all.get(message.invocation)?.stop(message.outcome)
      else all.get(message.invocation)?.act(message)
    },
    /** The process is no more: what ran there has ended in some way. */
    end(outcomeOf: (id: number) => Outcome) {
      for (const [id, run] of [...all]) {
        run.stop(outcomeOf(id))
        account(id)
      }
    }
  }
}

/** What it means to each of them that one took the process down. */
function outcomeFor(id: number, { signal }: Exit, dying?: Dying): Outcome {
  if (signal === 'SIGABRT' || dying?.outcome === 'exceededMemory') return 'exceededMemory'
  return dying?.invocation === id ? dying.outcome : 'internal'
}

function startFailure({ signal, lastWords }: Exit): DeployError {
  const message = lastWords || `The instance ended while it was starting (${signal}).`
  return { kind: signal === 'SIGABRT' ? 'startup-memory' : 'startup-error', message }
}
