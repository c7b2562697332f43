import { type Context, check, type Judge, pairwise, type Reply } from 'plimsoll'
import { isBesideThePoint, isRefused, isServed, item, quoted } from '../_reply.ts'
import { type Configuration, calls, configurationIn, entrypoint, idle, stageOn } from './_stage.ts'

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

/** What an update can say of the migration, and what it can send. */
const modes = [undefined, 'pending', '1', 'validation', '2', 'start', '0', '']
const bodies: { [body: string]: (offered: Configuration) => object } = {
  'all rules': (offered) => offered,
  'no rules': ({ name }) => ({ name, rules: [] }),
  'rules that are off': idle,
  'a name': ({ name }) => ({ name })
}

/** Migrates a zone on a plan, and has this tried on it. */
async function judge(
  context: Context & Judge,
  plan: string,
  attempts: readonly { mode?: string | undefined; body: string }[]
) {
  const { management, adapter, verify } = context
  const zone = await adapter.disposableZone(plan)
  const now = item(await calls(management, zone.id).check()).migration_state
  if (now !== undefined && now !== 'start' && (await isBack(context, zone))) return
  const on = await stageOn(context, { plan, zone })
  const configuration = configurationIn(await on.config())
  if (configuration === undefined) return
  const reply = await on.migrate('pending', configuration)
  const complete = await on.state()
  if (!isServed(reply) || complete === undefined || complete === 'start') return
  const look = async (name: string, tried: Reply) => {
    const shown = await on.check()
    const state = item(shown).migration_state
    const saw = `${plan}: ${quoted(complete)}, after ${name} ${quoted(state)}`
    verify(clause, { holds: state === complete, saw }, tried, shown)
  }
  for (const { mode, body } of attempts) {
    const sent = bodies[body]!(configuration)
    const tried = mode === undefined ? await on.deploy(sent) : await on.migrate(mode, sent)
    await look(`an update with ${mode ?? 'no waf_migration'} and ${body}`, tried)
  }
  await look('a deletion', await management.delete(`${on.path}/${entrypoint}`))
}

export default check({
  title: 'No request moves a migrated zone back',
  clauses: [clause],
  needs: ['management', 'disposableZone', 'migrated'],
  async run(context) {
    const plan = ['enterprise', 'business', 'pro', 'free']
    const all = pairwise({ plan, mode: modes, body: Object.keys(bodies) }, context)
    for (const one of plan) {
      const attempts = all.filter((attempt) => attempt.plan === one)
      await judge(context, one, attempts)
    }
  }
})
