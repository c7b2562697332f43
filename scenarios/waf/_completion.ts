import { check } from 'plimsoll'
import { isServed, quoted } from '../_reply.ts'
import { configurationIn, stage } from './_stage.ts'

/** A check that a zone on a plan leaves the start by an update with pending. */
export function completionCheck(plan: string) {
  const clause = `waf-migration.transition.start-to-complete.${plan}`
  return check({
    title: 'A compatible zone is migrated by an update with pending',
    clauses: [clause],
    needs: ['management', 'disposableZone'],
    async run(context) {
      const on = await stage(context, plan)
      const configuration = configurationIn(await on.config())
      if (configuration === undefined) return
      const reply = await on.update('pending', configuration)
      const state = await on.stateAfterStart()
      const holds = isServed(reply) && state !== undefined && state !== 'start'
      context.verify(clause, { holds, saw: `${reply.because}, state ${quoted(state)}` }, reply)
    }
  })
}
