import { check } from 'plimsoll'
import { isServed, isTurnedDown, item, quoted } from '../_reply.ts'
import { configurationIn, type Stage, stage } from './_stage.ts'

/** An update with validation, and the state that the zone is in afterwards. */
async function asked(on: Stage) {
  const configuration = configurationIn(await on.config())
  if (configuration === undefined) return undefined
  const reply = await on.update('validation', configuration)
  if (isServed(reply)) await on.stateAfterStart()
  const shown = await on.check()
  return { reply, shown, state: item(shown).migration_state }
}

/** A check that validation mode is not available to zones on a plan. */
export function noValidationCheck(plan: string) {
  const clause = `waf-migration.transition.validation-not-available.${plan}`
  return check({
    title: 'A zone that is not on the Enterprise plan does not come to validation mode',
    clauses: [clause],
    needs: ['management', 'disposableZone'],
    async run(context) {
      const [other, on] = [await stage(context, 'enterprise'), await stage(context, plan)]
      // What validation mode is called is only known from a zone that is in it.
      const inValidation = await asked(other)
      if (!inValidation || !isServed(inValidation.reply)) return
      const found = await asked(on)
      if (found === undefined) return
      const { reply, shown, state } = found
      const holds = isTurnedDown(reply) ? state === 'start' : state !== inValidation.state
      const saw = `${reply.because}, state ${quoted(state)}`
      context.verify(clause, { holds, saw }, reply, shown)
    }
  })
}
