import { accepted, limit, rejected, unclear } from 'plimsoll'
import { plans } from './_owasp.ts'
import { expressions, migrateWith } from './_seeded.ts'

/** What there is beside the rules on some plans: none to migrate, or none of a firewall. */
const beside: { [plan: string]: { logging?: number; pageRules?: number } } = {
  pro: { logging: 30 },
  business: { pageRules: 6 }
}

export default limit({
  title: 'A zone with up to 200 firewall rules to migrate can be migrated, and not with more',
  max: 200,
  clause: 'waf-migration.limit.firewall-rules',
  unit: 'rules',
  variants: [...plans],
  repeats: 1,
  needs: ['management', 'disposableZone', 'previousWaf', 'migrated'],
  async probe(count, context, plan) {
    const given = { plan, expressions: expressions(count), ...beside[plan] }
    const { kind, replies } = await migrateWith(context, given)
    const reply = replies.at(-1)!
    if (kind === 'unclear') return unclear(reply)
    return kind === 'migrated' ? accepted(reply) : rejected(reply)
  }
})
