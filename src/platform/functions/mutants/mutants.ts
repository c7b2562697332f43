import type { Mutant, Unenforced } from '../../kernel/mutant.ts'
import { limitsOn } from '../limits-on.ts'
import { functionPlans } from '../plan.ts'
import type { FunctionRules } from '../rules.ts'
import { cachedObjectMutants } from './cached-object.ts'
import { isolateConnectionMutants } from './connections.ts'
import { functionMutants } from './function.ts'
import { unaware } from './isolates.ts'
import { isolateLifeMutants } from './life.ts'
import { movedMutants } from './moved.ts'
import { isolateQuotaMutants } from './quota.ts'
import { functionRateMutants } from './rate.ts'
import { serviceMutants } from './services.ts'

/** Every known way to break edge functions. */
export const mutants: readonly Mutant<FunctionRules>[] = [
  ...functionMutants,
  ...functionRateMutants,
  ...cachedObjectMutants,
  ...isolateQuotaMutants,
  ...isolateConnectionMutants,
  ...isolateLifeMutants,
  ...serviceMutants,
  ...movedMutants
]

const each = <Name extends string, Value>(names: readonly Name[], value: Value) =>
  Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>

const byClass = { free: Infinity, paid: Infinity }
const byPlan = each(functionPlans, Infinity)
const byEvent = { fetch: Infinity, scheduled: Infinity, queue: Infinity, alarm: Infinity }
const endless = { scheduled: undefined, queue: undefined, alarm: undefined }

/** Functions that may use as much of everything as they like. */
export const unenforced: Unenforced<FunctionRules> = {
  ...unaware,
  limits: {
    variables: byClass,
    variableBytes: byClass,
    compressedBytes: byClass,
    startupMs: byClass,
    functions: byClass,
    triggers: byClass,
    routesPerZone: Infinity,
    zonesPerFunction: Infinity,
    requests: { perMinute: Infinity, perDay: Infinity },
    abuse: { requests: Infinity },
    subrequests: byPlan,
    internalSubrequests: byPlan,
    connections: byClass,
    memoryBytes: byPlan,
    cpuMs: each(functionPlans, byEvent),
    durationMs: each(functionPlans, endless),
    waitUntilMs: Infinity,
    consoleBytes: Infinity,
    cacheObjectBytes: byPlan,
    valueBytes: Infinity,
    depth: Infinity
  },
  limitsOn: (plan, limits) => limitsOn(plan, limits),
  variables: () => [],
  sizeOf: () => 0,
  triggersOf: () => 0,
  isLimited: () => false,
  isGuarded: () => false,
  beyondDay: { closed: 'bypass' },
  sameZone: { route: 'allow' },
  isolate: {
    quota: {
      ...{ fetch: 'none', cache: 'none', objects: 'none', service: 'none', kv: 'none' },
      ...{ stateful: 'none', queue: 'none', storage: 'none', socket: 'none' }
    },
    connects: {
      fetch: { fetch: false },
      kv: { get: false, put: false, list: false, delete: false },
      cache: { put: false, match: false, delete: false },
      objects: { list: false, get: false, put: false, delete: false, head: false },
      queue: { send: false, sendBatch: false },
      socket: { connect: false }
    },
    unreadHolds: false,
    deadlockVictim: 'none',
    cancelledUse: 'ends',
    overruns: { tolerated: Infinity },
    buffersCount: false
  }
}
