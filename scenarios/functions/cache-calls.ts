import { limit } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { calls } from './_quota.ts'
import { deployed } from './_stage.ts'

export default limit({
  title: 'A function may call the cache as often for a request as its plan allows, and not more',
  each: { free: 50, bundled: 50, 'unbound-standard': 1_000 },
  clause: (plan) => `limits.cache-api.calls.${plan}`,
  unit: 'calls',
  needs: ['edge', 'probe'],
  repeats: 1,
  ceiling: 2,
  async probe(count, context) {
    const plan = context.key.replace('unbound-', '') as FunctionPlan
    const probe = await deployed(context, { plan })
    const url = `http://${probe.host}/plimsoll-never-cached`
    return calls(probe, { count, of: { do: 'cache', call: 'match', url } })
  }
})
