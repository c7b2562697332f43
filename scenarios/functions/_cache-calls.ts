import { limit, type Scenario } from 'plimsoll'
import { cachesOf } from './_caches.ts'
import type { FunctionPlan } from './_capabilities.ts'
import { calls } from './_quota.ts'
import { ampleCpuMs, deployed } from './_stage.ts'

/** A limit on how often a request calls the cache, by the plan of its function. */
export function cacheCallLimit(options: {
  title: string
  each: Record<string, number>
  tier?: Scenario['tier']
}): Scenario {
  return limit({
    ...options,
    clause: (plan) => `limits.cache-api.calls.${plan}`,
    unit: 'calls',
    needs: ['edge', 'probe'],
    repeats: 1,
    ceiling: 2,
    async probe(count, context) {
      const plan = context.key.replace('unbound-', '') as FunctionPlan
      const probe = await deployed(context, { plan, cpuMs: ampleCpuMs })
      const url = `http://${probe.host}/plimsoll-calls`
      // What finds nothing is a call as well.
      const turns = ['put', 'match', 'delete', 'match', 'delete']
      const caches = await cachesOf(probe)
      const of = turns.flatMap((call) => caches({ do: 'cache', call, url }))
      return calls(probe, { count, of })
    }
  })
}
