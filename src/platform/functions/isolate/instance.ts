import { type Broker, createBroker } from './broker.ts'
import type { DeployError, FunctionSpec, Outcome, Services } from './contract.ts'
import { createFlows, type Flows } from './flow.ts'
import type { FromHost, UsageMessage } from './message.ts'
import type { Network } from './network.ts'
import { type Exit, startProcess } from './process.ts'
import { createRetirement, type Retirement } from './retirement.ts'
import type { IsolateRules } from './rules.ts'
import type { OpenRun } from './run.ts'
import { startWatch, type Watch } from './watch.ts'

/** A process that runs one version of a function, for as long as it lives. */
export type Instance = Pick<
  Retirement,
  'isCondemned' | 'isOver' | 'isLeaving' | 'isStarting' | 'condemn'
> & {
  /** Has it load a version, once; the error with which that ended, if it did. */
  load(spec: FunctionSpec): Promise<DeployError | undefined>
  /** Begins a run on it. */
  begin(run: OpenRun): void
  /** When the one who has been there the longest began; undefined while nobody is there. */
  occupiedSinceMs(): number | undefined
  /** When somebody last began on it. */
  usedMs(): number
  /** Ends it, and all that runs on it. */
  kill(): void
  /** Resolves when the process is no more. */
  exited: Promise<void>
}

type Dying = Extract<FromHost, { t: 'dying' }>

/** A process that says nothing for so long, on however slow a machine, will never say anything. */
const startTimeoutMs = 30_000

/** Starts a process that waits for a function to run. */
export function startInstance(parts: {
  services: Services
  network: Network
  rules: IsolateRules
}): Instance {
  const { send, kill, exited, usage } = startProcess((message) => hear(message))
  const flows = createFlows(send)
  const broker = createBroker({ ...parts, flows, send })
  const runs = createRuns(() => retirement.leave())
  const retirement = createRetirement({ isIdle: () => runs.all.size === 0, kill })
  const loading = Promise.withResolvers<DeployError | undefined>()
  let dying: Dying | undefined
  let scopeUs = 0
  let usedMs = performance.now()
  let watch: Watch | undefined

  function hear(message: FromHost) {
    if (message.t === 'up') return
    if (message.t === 'pong') return watch?.answered()
    if (message.t === 'loaded') loading.resolve(undefined)
    else if (message.t === 'refused') {
      loading.resolve(message.error)
      scopeUs = message.usedUs
    } else if (message.t === 'condemned') retirement.distrust()
    else if (message.t === 'dying') dying = message
    else hearOf(message, { runs, broker, flows })
  }
  const end = (exit: Exit) => {
    retirement.end()
    watch?.end()
    runs.end(endsOf(runs.suspects(), { exit, dying, watch, scopeUs }))
    loading.resolve(startFailure(exit))
  }
  return {
    ...retirement,
    async load({ modules, main, env, limits }) {
      const { isStarting } = retirement
      const ping = () => send({ t: 'ping' })
      const loaded = retirement.during(loading.promise)
      watch = startWatch({ usage, limits, isStarting, account: runs.account, ping, kill })
      send({ t: 'load', spec: { modules, main, env, limits }, rules: parts.rules })
      const unanswered = setTimeout(kill, startTimeoutMs)
      const error = await loaded
      clearTimeout(unanswered)
      return error
    },
    begin(run) {
      const id = runs.add(run)
      usedMs = performance.now()
      const drop = () => {
        broker.forget(id)
        send({ t: 'drop', invocation: id })
      }
      const event = run.begin({ flows, drop }, id)
      send({ t: 'start', invocation: id, allowanceMs: run.allowanceMs, event })
    },
    occupiedSinceMs: runs.sinceMs,
    usedMs: () => usedMs,
    kill() {
      retirement.end()
      kill()
    },
    exited: exited.then(end)
  }
}

/** What is said of one run, of something it asks for, or of a stream. */
function hearOf(
  message: Exclude<FromHost, { t: 'up' | 'pong' | 'loaded' | 'refused' | 'condemned' | 'dying' }>,
  { runs, broker, flows }: { runs: Runs; broker: Broker; flows: Flows }
) {
  if (message.t === 'call') {
    const run = runs.all.get(message.invocation)
    if (run && !run.isOver()) void broker.call(message, run)
  } else if ('stream' in message) {
    const isResult = message.t === 'cancel' && message.stream.startsWith('r')
    if (isResult) broker.cancel(Number(message.stream.slice(1)))
    else flows.take(message)
  } else runs.hear(message)
}

type Runs = ReturnType<typeof createRuns>

/** The runs of an instance by number, until each has been recorded. */
function createRuns(onEmpty: () => void) {
  const all = new Map<number, OpenRun>()
  let begun = 0
  const begunMs = new Map<number, number>()
  let chargedUs = 0
  const account = (id: number, usage?: UsageMessage) => {
    const run = all.get(id)
    all.delete(id)
    begunMs.delete(id)
    // What a run may have used is all that it can pay for.
    if (run) chargedUs += Math.min(usage?.cpuUs ?? 0, (run.allowanceMs + payableMs) * 1_000)
    run?.account(usage)
    if (all.size === 0) onEmpty()
  }
  return {
    all,
    /** When the one who has been there the longest began. */
    sinceMs: (): number | undefined => begunMs.values().next().value,
    account() {
      let allowanceMs = 0
      for (const run of all.values()) allowanceMs += run.allowanceMs
      return { chargedUs, allowanceMs }
    },
    /** Whoever is still at it though he is over; where there is none of them, everybody. */
    suspects(): number[] {
      const lingering = [...all].filter(([, run]) => run.isOver())
      return (lingering.length > 0 ? lingering : [...all]).map(([id]) => id)
    },
    add(run: OpenRun): number {
      all.set(++begun, run)
      begunMs.set(begun, performance.now())
      return begun
    },
    hear(message: Parameters<OpenRun['act']>[0] | UsageMessage | (FromHost & { t: 'stopped' })) {
      if (message.t === 'usage') account(message.invocation, message)
      else if (message.t === 'stopped') all.get(message.invocation)?.stop(message.outcome)
      else all.get(message.invocation)?.act(message)
    },
    /** The process is no more: what ran there has ended in some way. */
    end(endOf: (id: number) => { outcome: Outcome; cpuUs: number }) {
      for (const [id, run] of [...all]) {
        const { outcome, cpuUs } = endOf(id)
        run.stop(outcome)
        account(id, { ...unknownUsage, invocation: id, cpuUs })
      }
    }
  }
}

/** A run that is ended late, or with its process, has used somewhat more than it was allowed. */
const payableMs = 1_000

const unknownUsage = {
  t: 'usage',
  peakMemoryBytes: 0,
  subrequests: 0,
  internalSubrequests: 0
} as const

/**
 * How each run of a process that is no more ended, and what he has to pay for of the rest, or of
 * what the global scope had used when that was too much.
 */
function endsOf(
  suspects: number[],
  { exit, dying, watch, scopeUs }: { exit: Exit; dying?: Dying; watch?: Watch; scopeUs: number }
): Parameters<Runs['end']>[0] {
  const guilty = dying?.invocation ? [dying.invocation] : suspects
  const shareUs = Math.round(Math.max(scopeUs, watch?.unchargedUs() ?? 0) / guilty.length)
  const verdict = watch?.verdict()
  return (id) => {
    const isGuilty = guilty.includes(id)
    const found = isGuilty || verdict === 'exceededMemory' ? verdict : undefined
    return { outcome: found ?? outcomeFor(id, exit, dying), cpuUs: isGuilty ? shareUs : 0 }
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
