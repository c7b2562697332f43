import { accepted, limit, rejected, unclear } from 'plimsoll'
import { expressions, migrateWith } from './_seeded.ts'

export default limit({
  title: 'A zone with up to 200 firewall rules to migrate can be migrated, and not with more',
  max: 200,
  clause: 'waf-migration.limit.firewall-rules',
  unit: 'rules',
  needs: ['management', 'disposableZone', 'previousWaf', 'migrated'],
  async probe(count, context) {
    const { kind, replies } = await migrateWith(context, expressions(count))
    const reply = replies.at(-1)!
    if (kind === 'unclear') return unclear(reply)
    return kind === 'migrated' ? accepted(reply) : rejected(reply)
  }
})
