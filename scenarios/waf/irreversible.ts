import { check, type Reply } from 'plimsoll'
import { isServed, item, quoted } from '../_reply.ts'
import { configurationIn, entrypoint, stage } from './_stage.ts'

const clause = 'waf-migration.transition.irreversible'

export default check({
  title: 'No request moves a migrated zone back',
  clauses: [clause],
  needs: ['management', 'disposableZone', 'migrated'],
  async run(context) {
    const { management, verify } = context
    // On this plan every mode is available, so there are the most ways that could lead back.
    const on = await stage(context, 'enterprise')
    const configuration = configurationIn(await on.config())
    if (configuration === undefined) return
    const reply = await on.migrate('pending', configuration)
    const complete = await on.state()
    if (!isServed(reply) || complete === undefined || complete === 'start') return
    const attempts: Record<string, () => Promise<Reply>> = {
      'an update with validation': () => on.update('validation', configuration),
      'an update with 2': () => on.update('2', configuration),
      'an update with start': () => on.update('start', configuration),
      'an update without waf_migration': () => on.deploy(configuration),
      'a second pending': () => on.migrate('pending', configuration),
      'a deletion': () => management.delete(`${on.path}/${entrypoint}`)
    }
    for (const [name, attempt] of Object.entries(attempts)) {
      const tried = await attempt()
      const shown = await on.check()
      const state = item(shown).migration_state
      const saw = `${quoted(complete)}, after ${name} ${quoted(state)}`
      verify(clause, { holds: state === complete, saw }, tried, shown)
    }
  }
})
