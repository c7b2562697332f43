import { check } from 'plimsoll'
import { isServed, isTurnedDown, quoted } from '../_reply.ts'
import { configurationIn, stage } from './_stage.ts'

const plans = ['pro', 'business']
const clauseOf = (plan: string) => `waf-migration.transition.validation-not-available.${plan}`

export default check({
  title: 'A Pro or Business zone does not come to validation mode',
  clauses: plans.map(clauseOf),
  needs: ['management', 'disposableZone', 'migrated'],
  async run(context) {
    const asked = async (plan: string) => {
      const on = await stage(context, plan)
      const configuration = configurationIn(await on.config())
      if (configuration === undefined) return undefined
      return { reply: await on.migrate('validation', configuration), state: await on.state() }
    }
    // What validation mode is called is only known from a zone that is in it.
    const inValidation = await asked('enterprise')
    if (!inValidation || !isServed(inValidation.reply)) return
    for (const plan of plans) {
      const found = await asked(plan)
      if (!found) continue
      const { reply, state } = found
      const holds = isTurnedDown(reply) ? state === 'start' : state !== inValidation.state
      const saw = `${reply.because}, state ${quoted(state)}`
      context.verify(clauseOf(plan), { holds, saw }, reply)
    }
  }
})
