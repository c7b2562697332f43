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
    const { kind, replies } = await migrateWith(context, { plan, expressions: expressions(count) })
    const reply = replies.at(-1)!
    if (kind === 'unclear') return unclear(reply)
    return kind === 'migrated' ? accepted(reply) : rejected(reply)
  }
})
