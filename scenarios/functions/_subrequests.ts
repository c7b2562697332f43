import { limit, type Scenario } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { fetching } from './_command.ts'
import { calls } from './_quota.ts'
import { ampleCpuMs, deployed, openServer } from './_stage.ts'

/** What is called in turn: a request is one, with whatever body, made as it is sent or not. */
const ways: Record<string, unknown>[] = [
  {},
  { method: 'POST', send: { bytes: 9 } },
  { method: 'PUT', send: 9 },
  { method: 'PATCH', send: { bytes: 9 } }
]

/** A limit on how many subrequests a request makes, by the plan of its function. */
export function subrequestLimit(options: {
  title: string
  each: Partial<Record<FunctionPlan, number>>
  tier?: Scenario['tier']
}): Scenario {
  return limit({
    ...options,
    each: options.each as Record<string, number>,
    clause: (plan) => `limits.function.subrequests.${plan}`,
    unit: 'subrequests',
    needs: ['edge', 'probe', 'reach'],
    repeats: 1,
    ceiling: 2,
    async probe(count, context) {
      const plan = context.key as FunctionPlan
      const probe = await deployed(context, { plan, cpuMs: ampleCpuMs })
      await using server = await openServer(context)
      const channel = server.channel('subrequests')
      const of = ways.map((how) => fetching(channel.url({ status: 204 }), how))
      return await calls(probe, { count, of, channel })
    }
  })
}
