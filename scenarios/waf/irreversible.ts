import { type Context, check, type Judge, type Reply } from 'plimsoll'
import { isBesideThePoint, isRefused, isServed, item, quoted } from '../_reply.ts'
import { calls, configurationIn, entrypoint, stageOn } from './_stage.ts'

const clause = 'waf-migration.transition.irreversible'

/**
 * Judges a zone whose previous WAF can be managed no more, however it came there, where an update
 * leads back; true where one did.
 */
async function isBack(
  { management, adapter, verify }: Context & Judge,
  zone: { id: string }
): Promise<boolean> {
  const { path, config, update } = calls(management, zone.id)
  const packages = () => management.get(`${path}/firewall/waf/packages`)
  const before = await packages()
  if (!isRefused(before) || isBesideThePoint(before)) return false
  const offered = configurationIn(await config()) ?? { name: 'Plimsoll', rules: [] }
  const reply = await update('pending', offered)
  await adapter.migrated(zone.id)
  const after = await packages()
  const saw = `packages of the previous WAF: ${before.because}, after an update ${after.because}`
  if (isServed(after)) verify(clause, { holds: false, saw }, before, reply, after)
  return isServed(after)
}

export default check({
  title: 'No request moves a migrated zone back',
  clauses: [clause],
  needs: ['management', 'disposableZone', 'migrated'],
  async run(context) {
    const { management, adapter, verify } = context
    // On this plan every mode is available, so there are the most ways that could lead back.
    const plan = 'enterprise'
    const zone = await adapter.disposableZone(plan)
    const now = item(await calls(management, zone.id).check()).migration_state
    if (now !== undefined && now !== 'start' && (await isBack(context, zone))) return
    const on = await stageOn(context, { plan, zone })
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
