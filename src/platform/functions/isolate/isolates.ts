import { type Clock, clock as machineClock } from '../../../clock.ts'
import type { Egress } from '../../egress/egress.ts'
import type { DeployError, FunctionSpec, Isolates, Services } from './contract.ts'
import { type Instance, startInstance } from './instance.ts'
import { openNetwork } from './network.ts'
import { createOverruns } from './overrun.ts'
import { type IsolateRules, isolateRules } from './rules.ts'
import { type OpenRun, openRun } from './run.ts'

/** How to run functions. */
export type IsolatesOptions = {
  services: Services
  /** The guard of their ways out. */
  egress: Egress
  /** What limits of duration and `waitUntil` go by. Default: the machine's clock. */
  clock?: Clock
  rules?: IsolateRules
  /** Instances that are kept; beyond, the one that was used least lately is let go. Default: 24. */
  most?: number
  /** Processes that wait for a function, so that it starts at once. Default: 1. */
  spares?: number
}

type Kept = { functionId: string; instance: Instance; loaded: Promise<DeployError | undefined> }

/** Processes to run functions in: one in use for each function, some in waiting. */
function createNursery(start: () => Instance, spares: number) {
  const waiting: Instance[] = []
  const all = new Set<Instance>()
  let isClosed = false
  const make = () => {
    const instance = start()
    all.add(instance)
    void instance.exited.then(() => all.delete(instance))
    return instance
  }
  const fill = () => {
    while (!isClosed && waiting.length < spares) waiting.push(make())
  }
  return {
    take(): Instance {
      if (isClosed) throw new Error('functions run no more')
      setImmediate(fill)
      for (let found = waiting.shift(); found; found = waiting.shift())
        if (!found.isCondemned()) return found
      return make()
    },
    async close() {
      isClosed = true
      const exits = [...all].map(({ exited }) => exited)
      for (const instance of all) instance.kill()
      await Promise.all(exits)
    }
  }
}

/** Opens the runtime; processes start when there is something to run. */
export function openIsolates(options: IsolatesOptions): Isolates {
  const { services, clock = machineClock, rules = isolateRules, most = 24, spares = 1 } = options
  const network = openNetwork(options.egress)
  const overruns = createOverruns(rules.overruns)
  const nursery = createNursery(() => startInstance({ services, network, rules }), spares)
  /** By version, least lately used first. */
  const kept = new Map<string, Kept>()

  const letGo = (key: string) => {
    kept.get(key)?.instance.condemn()
    kept.delete(key)
  }
  const keep = (key: string, spec: FunctionSpec): Kept => {
    const found = kept.get(key)
    const isUsable = found && !found.instance.isCondemned()
    const instance = isUsable ? found.instance : nursery.take()
    const fresh = { functionId: spec.id, instance, loaded: Promise.resolve(undefined) }
    const used = isUsable ? found : { ...fresh, loaded: instance.load(spec) }
    kept.delete(key)
    kept.set(key, used)
    if (rules.evicts && kept.size > most) letGo(kept.keys().next().value!)
    return used
  }
  let turn = 0
  const keyOf = ({ id, version }: FunctionSpec) => {
    turn = (turn + 1) % rules.instances
    return JSON.stringify([id, version, turn])
  }

  const begin = async (run: OpenRun) => {
    const { spec } = run
    const key = keyOf(spec)
    const { instance, loaded } = keep(key, spec)
    const error = await loaded
    if (run.isOver()) return
    if (error) return run.stop('exception', error.message)
    // It may have gone too far, or be no more, by now: whoever asked first has to ask again.
    if (instance.isOver()) return begin(run)
    instance.begin(run)
    if (!rules.globalsPersist) letGo(key)
  }
  return {
    check: async (spec) => keep(keyOf(spec), spec).loaded,
    invoke(spec, invocation) {
      const limitMs = spec.limits.cpuMs[invocation.kind]
      const allowanceMs = overruns.allowanceMs(spec.id, limitMs)
      const run = openRun({ spec, invocation, allowanceMs, clock, rules })
      begin(run).catch((error) => run.stop('internal', error.message))
      void run.record.then(({ cpuUs }) => overruns.note(spec.id, cpuUs > limitMs * 1_000))
      return run
    },
    evict(functionId) {
      if (!rules.evicts) return
      for (const [key, entry] of kept)
        if (functionId === undefined || entry.functionId === functionId) letGo(key)
    },
    async close() {
      await nursery.close()
      network.close()
    }
  }
}
