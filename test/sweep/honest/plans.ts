// Plans of other makes: when one is in force, once a zone or an account has moved to it.

import { bodyLimit } from '../../../src/platform/edge/size.ts'
import { openIsolates } from '../../../src/platform/functions/isolate/isolates.ts'
import { functionRules } from '../../../src/platform/functions/rules.ts'
import type { Variant } from './variant.ts'

/** A value by its key as it was before, for some time after it is seen to have changed. */
function lagging<Value>(lagMs: number): (key: string, value: Value) => Value {
  const known = new Map<string, { now: Value; before: Value; sinceMs: number }>()
  return (key, value) => {
    const now = performance.now()
    const met = known.get(key) ?? { now: value, before: value, sinceMs: -Infinity }
    const one = met.now === value ? met : { now: value, before: met.now, sinceMs: now }
    known.set(key, one)
    return now - one.sinceMs < lagMs ? one.before : one.now
  }
}

/** Rules of a platform on which a plan is in force some time after it is asked for. */
function inForceAfter(lagMs: number): NonNullable<Variant['rules']> {
  const planOf = lagging<string>(lagMs)
  const subrequestsOf = lagging<number>(lagMs)
  return {
    edge: {
      bodyLimit(request, zone, limits) {
        const plan = planOf(zone.id, zone.plan) as typeof zone.plan
        return bodyLimit(request, { ...zone, plan }, limits)
      }
    },
    functions: {
      variables(deployment, others, account) {
        const all = functionRules.variables(deployment, others, account)
        const [isFree, wasFree] = [account.plan, planOf(account.id, account.plan)].map(
          (plan) => plan === 'free'
        )
        if (isFree === wasFree) return all
        // Half as many may be there, or twice.
        return wasFree ? [...all, ...all] : all.slice(0, all.length / 2)
      },
      openIsolates(options) {
        const honest = openIsolates(options)
        return {
          ...honest,
          invoke(spec, invocation) {
            const subrequests = subrequestsOf(spec.id, spec.limits.subrequests)
            // An instance has the limits that it was begun with.
            const version = `${spec.version} with ${subrequests}`
            const limits = { ...spec.limits, subrequests }
            return honest.invoke({ ...spec, version, limits }, invocation)
          }
        }
      }
    }
  }
}

/** Platforms on which plans are set otherwise. */
export const planVariants: readonly Variant[] = [
  {
    name: 'plans-in-force-after-two-seconds',
    allowed: 'how plans are set is not said, nor when one is in force',
    areas: ['edge/plan-moved', 'functions/plan-moved'],
    rules: inForceAfter(2_000)
  }
]
