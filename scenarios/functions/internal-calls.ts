import { limit } from 'plimsoll'
import type { Command } from './_command.ts'
import { calls } from './_quota.ts'
import { anyProbe } from './_stage.ts'

const services: Record<string, Command> = {
  'key-value': { do: 'kv', call: 'get', args: ['plimsoll'] },
  'stateful-objects': { do: 'state', name: 'plimsoll', of: { do: 'time' } }
}

export default limit({
  title: 'A function may call each internal service 1,000 times for a request, and not more',
  each: { 'key-value': 1_000, 'stateful-objects': 1_000 },
  clause: (service) => `limits.subrequests.internal.${service}`,
  unit: 'requests',
  tier: 'full',
  needs: ['edge', 'probe'],
  repeats: 1,
  ceiling: 2,
  async probe(count, context) {
    return calls(await anyProbe(context), { count, of: services[context.key]! })
  }
})
