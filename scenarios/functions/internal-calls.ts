import { limit } from 'plimsoll'
import type { Command } from './_command.ts'
import { calls } from './_quota.ts'
import { ampleCpuMs, anyProbe } from './_stage.ts'

const kv = (call: string, ...args: unknown[]): Command => ({ do: 'kv', call, args })

/** What is called of each service, in turn. */
const services: Record<string, readonly Command[]> = {
  'key-value': [
    kv('put', 'plimsoll', 'v'),
    kv('get', 'plimsoll'),
    kv('list', { prefix: 'plimsoll' }),
    kv('delete', 'plimsoll')
  ],
  // Whether it is the same object that is asked again, or another one.
  'stateful-objects': ['one', 'two'].map((name) => ({ do: 'state', name, of: { do: 'time' } }))
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
    const probe = await anyProbe(context, { cpuMs: ampleCpuMs })
    return calls(probe, { count, of: services[context.key]! })
  }
})
