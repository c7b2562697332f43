import { accepted, KB, limit, rejected, unclear } from 'plimsoll'
import { expressionOf, migrateWith } from './_seeded.ts'

export default limit({
  title: 'A firewall rule with an expression of up to 4 KB can be migrated, and no longer one',
  max: 4 * KB,
  clause: 'waf-migration.limit.expression-length',
  unit: 'bytes',
  // A kilobyte is bytes, however few characters they are.
  variants: ['ASCII on pro', 'ASCII on business', 'two bytes a character on enterprise'],
  repeats: 2,
  smallest: 40,
  needs: ['management', 'disposableZone', 'previousWaf', 'migrated'],
  async probe(size, context, variant) {
    const [letters, plan] = variant.split(' on ') as [string, string]
    const expressions = [expressionOf(size, letters === 'ASCII' ? 1 : 2)]
    const { kind, replies } = await migrateWith(context, { plan, expressions })
    const reply = replies.at(-1)!
    if (kind === 'unclear') return unclear(reply)
    return kind === 'migrated' ? accepted(reply) : rejected(reply)
  }
})
