import { limit } from 'plimsoll'
import type { FunctionPlan } from './_capabilities.ts'
import { fetching } from './_command.ts'
import { calls } from './_quota.ts'
import { deployed, openYard } from './_stage.ts'

export default limit({
  title: 'A function may make as many subrequests for a request as its plan allows, and not more',
  each: { free: 50, bundled: 50, unbound: 1_000, standard: 1_000 },
  clause: (plan) => `limits.function.subrequests.${plan}`,
  unit: 'subrequests',
  needs: ['edge', 'probe', 'reach'],
  repeats: 1,
  ceiling: 2,
  async probe(count, context) {
    const plan = context.key as FunctionPlan
    const probe = await deployed(context, { plan })
    await using yard = await openYard(context)
    const lane = yard.lane('subrequests')
    return await calls(probe, { count, of: fetching(lane.url({ status: 204 })), lane })
  }
})
