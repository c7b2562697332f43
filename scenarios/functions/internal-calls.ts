import { limit } from 'plimsoll'
import { type Command, repeat } from './_command.ts'
import { ampleCpuMs, counted } from './_quota.ts'
import { deployed } from './_stage.ts'

const calls: Record<string, Command> = {
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
    const probe = await deployed(context, { plan: 'free', cpuMs: ampleCpuMs })
    return counted(await probe.ask(repeat(count, calls[context.key]!)), count)
  }
})
