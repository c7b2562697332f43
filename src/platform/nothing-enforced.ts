import { functionPlans } from './functions/plan.ts'
import { permissions } from './kernel/api/permission.ts'
import { instead } from './kernel/api/wrong-operation.ts'
import type { Override } from './kernel/override.ts'
import { plans } from './kernel/plan.ts'
import { ownAccount } from './management/identity.ts'
import type { Rules } from './rules.ts'

const each = <Name extends string, Value>(names: readonly Name[], value: Value) =>
  Object.fromEntries(names.map((name) => [name, value])) as Record<Name, Value>

const byClass = { free: Infinity, paid: Infinity }
const byPlan = each(functionPlans, Infinity)
const byEvent = { fetch: Infinity, scheduled: Infinity, queue: Infinity, alarm: Infinity }
const endless = { scheduled: undefined, queue: undefined, alarm: undefined }

/** Jobs are taken with filters that are none, as if they had none. */
const anyFilter = instead(['logpush.job.create'], (call, run) => {
  try {
    return run(call)
  } catch {
    return run({ ...call, body: { ...call.body, filter: null } })
  }
})

/** A header that no browser acts on. */
const unheard = 'X-Content-Security-Policy-Unheard'

/**
 * The platform with every limit off: it serves all that the promised one serves, and never refuses,
 * counts, queues, cancels or ends anything for being too much or not allowed. What only paces its
 * own work stays as it is, and so does what makes no sense otherwise: JSON, ids, members of bodies.
 */
export const nothingEnforced = {
  name: 'nothing-enforced',
  description: 'No limit, quota, permission or policy is enforced.',
  change: {
    limits: {
      urlBytes: Infinity,
      headersBytes: Infinity,
      headerBytes: Infinity,
      bodyBytes: each(plans, Infinity),
      managementBodyBytes: Infinity,
      largestPerPage: Infinity,
      policyValueCharacters: Infinity,
      reportBytes: Infinity,
      reportRate: { burst: Infinity, perSecond: Infinity },
      reportedDetections: Infinity,
      policies: Infinity,
      policyHeadBytes: Infinity,
      violations: Infinity,
      entrypointBytes: Infinity,
      migratedFirewallRules: Infinity,
      migratedExpressionBytes: Infinity,
      scriptBytes: Infinity,
      gateway: {
        bodyBytes: Infinity,
        batchCalls: Infinity,
        answerCharacters: Infinity,
        node: { pending: Infinity }
      },
      functions: {
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
        cachedFileBytes: each(plans, Infinity),
        cacheObjectBytes: byPlan,
        valueBytes: Infinity,
        depth: Infinity
      },
      logpush: { filterBytes: Infinity, filterOperators: Infinity, jobs: Infinity }
    },
    ...anyFilter,
    identify: () => ({ account: ownAccount, permissions }),
    permit() {},
    policy: {
      header: { log: unheard, allow: unheard },
      isEnabled: () => false,
      isMeant: () => false,
      sources: () => 'default-src *'
    },
    waf: {
      migration: {
        hasValidation: () => true,
        isEligible: () => true,
        isPreviousOver: () => false,
        next: (_state, mode) => mode,
        expressionBytes: () => 0
      },
      enforcement: { isExempt: { previous: () => true, new: () => true } }
    },
    gateway: { isMethod: () => true, isLetIn: () => true, isType: () => true, isOpen: () => true },
    functions: {
      variables: () => [],
      sizeOf: () => 0,
      triggersOf: () => 0,
      customCpuMs: () => undefined,
      isLimited: () => false,
      isGuarded: () => false,
      beyondDay: { closed: 'bypass' },
      sameZone: { route: 'allow' }
    },
    isolate: {
      quota: {
        ...{ fetch: 'none', cache: 'none', objects: 'none', service: 'none', kv: 'none' },
        ...{ stateful: 'none', queue: 'none', storage: 'none', socket: 'none' }
      },
      redirectsCount: false,
      connects: {
        fetch: { fetch: false },
        kv: { get: false, put: false, list: false, delete: false },
        cache: { put: false, match: false, delete: false },
        objects: { list: false, get: false, put: false, delete: false, head: false },
        queue: { send: false, sendBatch: false },
        socket: { connect: false }
      },
      beyondConnections: 'open',
      unreadHolds: false,
      deadlockVictim: 'none',
      cancelledUseThrows: false,
      overruns: { tolerated: Infinity },
      buffersCount: false,
      waitUntil: 'unlimited',
      disconnectCancels: false,
      beyondConsole: 'keep',
      consoleCounts: { exceptions: false, request: false }
    }
  } satisfies Override<Rules> as Override<Rules>
}
