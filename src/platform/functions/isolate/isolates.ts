import { type Clock, clock as machineClock } from '../../../clock.ts'
import type { Egress } from '../../kernel/egress/egress.ts'
import type { DeployError, FunctionSpec, Isolates, Services } from './contract.ts'
import { type Instance, startInstance } from './instance.ts'
import { openNetwork } from './network.ts'
import { createOverruns } from './overrun.ts'
import { createInstancePool, graceMs, type InstancePool } from './pool.ts'
import { type IsolateRules, isolateRules } from './rules.ts'
import { type OpenRun, openRun } from './run.ts'
import { createTranscript } from './transcript.ts'

/** How to run functions. */
export type IsolatesOptions = {
  services: Services
  /** The guard of their ways out. */
  egress: Egress
  /** What limits of duration and `waitUntil` go by. Default: the machine's clock. */
  clock?: Clock
  rules?: IsolateRules
  /** What takes down the output of each invocation. Default: `createTranscript`. */
  transcribe?: typeof createTranscript
  /** Instances that are kept; beyond, the one that was used least lately is let go. Default: 24. */
  most?: number
  /** Processes that wait for a function, so that it starts at once. Default: 1. */
  spares?: number
}

type Kept = Pick<FunctionSpec, 'id' | 'version'> & {
  /** Undefined until there is room for it. */
  instance?: Instance
  /** Somebody wanted it gone before it was there. */
  isLetGo?: boolean
  loaded: Promise<{ instance: Instance; error: DeployError | undefined }>
}

/** The instances that are in use, by version. */
function createKeeping(pool: InstancePool) {
  const kept = new Map<string, Kept>()

  const letGo = (key: string, withinMs?: number) => {
    const entry = kept.get(key)
    if (entry) entry.isLetGo = true
    entry?.instance?.condemn(withinMs)
    kept.delete(key)
  }
  const load = async (key: string, entry: Kept, spec: FunctionSpec) => {
    const instance = await pool.take(spec.owner)
    entry.instance = instance
    void instance.exited.then(() => kept.get(key) === entry && kept.delete(key))
    const loading = instance.load(spec)
    if (entry.isLetGo) instance.condemn(graceMs)
    return { instance, error: await loading }
  }
  const keep = (key: string, spec: FunctionSpec): Kept => {
    const found = kept.get(key)
    if (found && !found.instance?.isCondemned()) return found
    const entry = { id: spec.id, version: spec.version } as Kept
    kept.set(key, entry)
    entry.loaded = load(key, entry, spec)
    // Whoever waits for it hears of that.
    entry.loaded.catch(() => kept.get(key) === entry && kept.delete(key))
    return entry
  }
  return { kept, keep, letGo }
}

/** Opens the runtime; processes start when there is something to run. */
export function openIsolates(options: IsolatesOptions): Isolates {
  const { services, clock = machineClock, rules = isolateRules, most = 24, spares = 1 } = options
  const { transcribe = createTranscript } = options
  const network = openNetwork(options.egress)
  const overruns = createOverruns(rules.overruns)
  const start = () => startInstance({ services, network, rules })
  const pool = createInstancePool({ start, spares, most })
  const { kept, keep, letGo } = createKeeping(pool)
  const keyOf = ({ id, version }: FunctionSpec) => JSON.stringify([id, version])

  const begin = async (run: OpenRun) => {
    const { spec } = run
    const key = keyOf(spec)
    const { instance, error } = await keep(key, spec).loaded
    if (run.isOver()) return
    if (error) return run.stop('exception', error.message)
    // It may have gone too far, or be no more, by now: whoever asked first has to ask again.
    if (instance.isOver()) return begin(run)
    instance.begin(run)
  }
  return {
    check: async (spec) => (await keep(keyOf(spec), spec).loaded).error,
    invoke(spec, invocation) {
      const limitMs = spec.limits.cpuMs[invocation.kind]
      const allowanceMs = overruns.allowanceMs(spec.id, limitMs)
      const run = openRun({ spec, invocation, allowanceMs, clock, transcribe })
      begin(run).catch((error) => run.stop('internal', error.message))
      void run.record.then(({ cpuUs }) => overruns.note(spec.id, cpuUs > limitMs * 1_000))
      return run
    },
    evict(functionId, isMeant = () => true) {
      for (const [key, { id, version }] of kept) {
        const isOf = functionId === undefined || id === functionId
        if (isOf && isMeant(version)) letGo(key, graceMs)
      }
    },
    async close() {
      await pool.close()
      network.close()
    }
  }
}
