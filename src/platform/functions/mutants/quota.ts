import type { Mutant } from '../../kernel/mutant.ts'
import { functionPlans } from '../plan.ts'
import type { FunctionRules } from '../rules.ts'

const subrequests = { free: 50, bundled: 50, unbound: 1_000, standard: 1_000 }

const numbers = functionPlans.flatMap((plan) =>
  [-1, 1].map(
    (more): Mutant<FunctionRules> => ({
      name: `subrequests-${plan}-${subrequests[plan] + more}`,
      clause: `limits.function.subrequests.${plan}`,
      description: `A request on plan ${plan} makes ${subrequests[plan] + more} subrequests.`,
      change: { limits: { subrequests: { [plan]: subrequests[plan] + more } } }
    })
  )
)

const cacheCalls = ['free', 'bundled', 'unbound-standard'].map(
  (column): Mutant<FunctionRules> => ({
    name: `cache-calls-${column}-unlimited`,
    clause: `limits.cache-api.calls.${column}`,
    description: 'Calls to the cache count toward no quota.',
    change: { isolate: { quota: { cache: 'none' } } }
  })
)

/** What can be wrong with how many calls a function may make for a request. */
export const isolateQuotaMutants: readonly Mutant<FunctionRules>[] = [
  ...numbers,
  ...cacheCalls,
  {
    name: 'cache-deletions-not-counted',
    clause: 'cache-api.counted-calls',
    description: 'Deleting from the cache counts toward no quota.',
    change: { isolate: { quota: { 'cache.delete': 'none' } } }
  },
  {
    name: 'cache-quota-apart',
    clause: 'cache-api.shared-quota-with-fetch',
    description: 'Calls to the cache have a quota of their own.',
    change: { isolate: { quota: { cache: 'internal' } } }
  },
  {
    name: 'fetches-not-counted',
    clause: 'subrequests.definition-fetch',
    description: 'A fetch counts toward no quota.',
    change: { isolate: { quota: { fetch: 'none' } } }
  },
  {
    name: 'object-storage-not-counted',
    clause: 'subrequests.definition-platform-services',
    description: 'A request to object storage counts toward no quota.',
    change: { isolate: { quota: { objects: 'none' } } }
  },
  {
    name: 'object-listings-not-counted',
    clause: 'subrequests.definition-platform-services',
    description: 'A listing of object storage counts toward no quota.',
    change: { isolate: { quota: { 'objects.list': 'none' } } }
  },
  {
    name: 'cache-puts-not-counted',
    clause: 'limits.cache-api.calls.bundled',
    description: 'Putting into the cache counts toward no quota.',
    change: { isolate: { quota: { 'cache.put': 'none' } } }
  },
  {
    name: 'key-value-deletions-not-counted',
    clause: 'limits.subrequests.internal.key-value',
    description: 'Deleting from the key-value store counts toward no quota.',
    change: { isolate: { quota: { 'kv.delete': 'none' } } }
  },
  {
    name: 'redirects-not-counted',
    clause: 'subrequests.redirects-count',
    description: 'A chain of redirects counts as one subrequest.',
    change: { isolate: { quota: { 'fetch.redirect': 'none' } } }
  },
  {
    name: 'key-value-calls-not-counted',
    clause: 'limits.subrequests.internal.key-value',
    description: 'Calls to the key-value store count toward no quota.',
    change: { isolate: { quota: { kv: 'none' } } }
  },
  {
    name: 'key-value-calls-are-subrequests',
    clause: 'limits.subrequests.internal.regardless-of-usage-model',
    description: 'Calls to the key-value store are limited by the plan, as subrequests are.',
    change: { isolate: { quota: { kv: 'external' } } }
  },
  {
    name: 'stateful-objects-not-counted',
    clause: 'limits.subrequests.internal.stateful-objects',
    description: 'Calls to stateful objects count toward no quota.',
    change: { isolate: { quota: { stateful: 'none' } } }
  },
  {
    name: 'internal-calls-999',
    clause: 'limits.subrequests.internal.key-value',
    description: 'A request makes 999 calls to internal services.',
    change: { limits: { internalSubrequests: { standard: 999 } } }
  }
]
