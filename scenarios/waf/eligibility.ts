import { type Context, check, type Reply } from 'plimsoll'
import { isServed, item, quoted } from '../_reply.ts'
import { configurationIn, stage } from './_stage.ts'

const every = 'waf-migration.eligibility.all-zones-incl-partner'
const excluded = 'waf-migration.eligibility.uri-override-excluded'
const told = 'waf-migration.eligibility.check-true-for-eligible'

type Found = { plan: string; replies: [Reply, ...Reply[]]; compatible: unknown; state: unknown }

/** What becomes of a fresh zone that nothing but these overrides could keep from migrating. */
async function migrated(context: Context, given: { plan: string; uriOverrides: string[] }) {
  const { plan, uriOverrides } = given
  const on = await stage(context, plan)
  await context.adapter.previousWaf(on.zone.id, {
    enabled: true,
    owasp: { sensitivity: 'low', action: 'simulate' },
    firewallRules: [{ expression: 'http.request.uri.path eq "/status"', action: 'bypass' }],
    pageRules: [{ url: '*/assets/*', waf: 'off' }],
    uriOverrides
  })
  const [check, config] = [await on.check(), await on.config()]
  const { compatible } = item(check)
  const free = configurationIn(config) ?? configurationIn(await fresh(context))
  const update = free && (await on.migrate('pending', free))
  const replies: Found['replies'] = update ? [check, update] : [check]
  return { plan, replies, compatible, state: await on.state() }
}

const fresh = async (context: Context) => (await stage(context, 'enterprise')).config()

const isMigrated = ({ state }: Found) => state !== undefined && state !== 'start'
const words = ({ plan, state, replies }: Found) =>
  `${plan}: ${replies.at(-1)!.because}, state ${quoted(state)}`

export default check({
  title: 'Every zone can migrate, whatever it has configured, unless it has URI-based overrides',
  clauses: [every, excluded, told],
  needs: ['management', 'disposableZone', 'previousWaf', 'migrated'],
  async run(context) {
    const { verify } = context
    for (const plan of ['pro', 'business', 'enterprise']) {
      const found = await migrated(context, { plan, uriOverrides: [] })
      verify(every, { holds: isMigrated(found), saw: words(found) }, ...found.replies)
      const [check] = found.replies
      if (!isServed(check)) continue
      const saw = `${plan}: compatible ${quoted(found.compatible)}`
      verify(told, { holds: found.compatible === true, saw }, check)
    }
    const found = await migrated(context, { plan: 'business', uriOverrides: ['*/legacy/*'] })
    const saw = `with one override, ${words(found)}`
    verify(excluded, { holds: !isMigrated(found), saw }, ...found.replies)
  }
})
