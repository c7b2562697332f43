import type { Mutant } from '../../kernel/mutant.ts'
import type { Override } from '../../kernel/override.ts'
import type { Caller, Isolates, Services } from '../isolate/contract.ts'
import { openIsolates } from '../isolate/isolates.ts'
import type { Quota } from '../isolate/rules.ts'
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

/** How often a request has called so far, by key. */
type Counts = Map<string, number>

type Asked = { service: string; own: string; isBehind: boolean }

/** Calls of services from other quotas, and one that is too many by what was called, and when. */
const counted = (
  quota: Record<string, Quota>,
  isTooMany: (counts: Counts, asked: Asked) => boolean
): Override<FunctionRules> => ({
  isolate: { quota },
  openIsolates({ services, ...options }) {
    const made = new WeakMap<Caller['invocation'], Counts>()
    const answered = new WeakSet<Caller['invocation']>()
    const call: Services['call'] = async (asked, caller) => {
      const counts: Counts = made.get(caller.invocation) ?? new Map()
      made.set(caller.invocation, counts)
      const { service, id, args } = asked
      const own = service === 'stateful' ? String(args[0]) : id
      for (const key of [service, own]) counts.set(key, (counts.get(key) ?? 0) + 1)
      const isBehind = answered.has(caller.invocation)
      if (isTooMany(counts, { service, own, isBehind })) throw new Error('Too many subrequests.')
      return services.call(asked, caller)
    }
    const isolates = openIsolates({ ...options, services: { ...services, call } })
    const invoke: Isolates['invoke'] = (spec, invocation) => {
      const run = isolates.invoke(spec, invocation)
      run.answer.then(
        () => answered.add(invocation),
        () => {}
      )
      return run
    }
    return { ...isolates, invoke }
  }
})

/** The same where only one of stateful objects may be too many. */
const statefulCounted = (
  stateful: Quota,
  isTooMany: (counts: Counts, object: string) => boolean
): Override<FunctionRules> =>
  counted(
    { stateful },
    (counts, { service, own }) => service === 'stateful' && isTooMany(counts, own)
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
    besides: ['subrequests.definition-platform-services'],
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
    besides: ['subrequests.definition-platform-services'],
    description: 'Calls to the key-value store count toward no quota.',
    change: { isolate: { quota: { kv: 'none' } } }
  },
  {
    name: 'key-value-calls-are-subrequests',
    clause: 'limits.subrequests.internal.key-value',
    description: 'Calls to the key-value store are limited by the plan, as subrequests are.',
    change: { isolate: { quota: { kv: 'external' } } }
  },
  {
    name: 'internal-calls-2000-on-unbound',
    clause: 'limits.subrequests.internal.regardless-of-usage-model',
    description: 'On plan unbound a request may call the services of the platform 2,000 times.',
    change: { limits: { internalSubrequests: { unbound: 2_000 } } }
  },
  {
    name: 'stateful-objects-not-counted',
    clause: 'limits.subrequests.internal.stateful-objects',
    description: 'Calls to stateful objects count toward no quota.',
    change: { isolate: { quota: { stateful: 'none' } } }
  },
  {
    name: 'stateful-objects-700-beside-key-value',
    clause: 'limits.subrequests.internal.stateful-objects',
    description: 'A request that asks the key-value store makes 700 calls of stateful objects.',
    change: statefulCounted(
      'external',
      (counts) => counts.has('kv') && counts.get('stateful')! > 700
    )
  },
  {
    name: 'stateful-objects-counted-apart',
    clause: 'limits.subrequests.internal.stateful-objects',
    description: 'A request makes 1,000 calls of each stateful object.',
    change: statefulCounted('none', (counts, object) => counts.get(object)! > 1_000)
  },
  {
    name: 'key-value-calls-counted-by-namespace',
    clause: 'limits.subrequests.internal.key-value',
    description: 'A request makes 1,000 calls to each namespace of the key-value store.',
    change: counted(
      { kv: 'none' },
      (counts, { service, own }) => service === 'kv' && counts.get(own)! > 1_000
    )
  },
  {
    name: 'key-value-calls-behind-answers-not-counted',
    clause: 'limits.subrequests.internal.key-value',
    description: 'Calls to the key-value store count until the answer is there, and no longer.',
    change: counted(
      { kv: 'none' },
      (counts, { service, isBehind }) =>
        service === 'kv' && counts.get(service)! > 1_000 && !isBehind
    )
  },
  {
    name: 'internal-calls-999',
    clause: 'limits.subrequests.internal.key-value',
    description: 'A request makes 999 calls to internal services.',
    change: { limits: { internalSubrequests: { standard: 999 } } }
  }
]
