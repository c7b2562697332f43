import { accepted, limit, rejected, unclear } from 'plimsoll'
import { plans } from './_owasp.ts'
import { expressions, migrateWith } from './_seeded.ts'

export default limit({
  title: 'A zone with up to 200 firewall rules to migrate can be migrated, and not with more',
  max: 200,
  clause: 'waf-migration.limit.firewall-rules',
  unit: 'rules',
  variants: [...plans],
  repeats: 1,
  needs: ['management', 'disposableZone', 'previousWaf', 'migrated'],
  async probe(count, context, plan) {
    // Those of one plan have others beside them, which are none to migrate.
    const others = plan === plans[0] ? 30 : 0
    const given = { plan, expressions: expressions(count), others }
    const { kind, replies } = await migrateWith(context, given)
    const reply = replies.at(-1)!
    if (kind === 'unclear') return unclear(reply)
    return kind === 'migrated' ? accepted(reply) : rejected(reply)
  }
})
