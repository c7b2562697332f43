import { check } from 'plimsoll'
import { isServed, quoted } from '../_reply.ts'
import { configurationIn, stage } from './_stage.ts'

const plans = ['pro', 'business', 'enterprise']
const clauseOf = (plan: string) => `waf-migration.transition.start-to-complete.${plan}`

export default check({
  title: 'A compatible zone leaves the start by an update with pending, on every plan',
  clauses: plans.map(clauseOf),
  needs: ['management', 'disposableZone', 'migrated'],
  async run(context) {
    for (const plan of plans) {
      const on = await stage(context, plan)
      const configuration = configurationIn(await on.config())
      if (configuration === undefined) continue
      const reply = await on.migrate('pending', configuration)
      const state = await on.state()
      const holds = isServed(reply) && state !== undefined && state !== 'start'
      const saw = `${reply.because}, state ${quoted(state)}`
      context.verify(clauseOf(plan), { holds, saw }, reply)
    }
  }
})
