import { accepted, KB, limit, rejected, unclear } from 'plimsoll'
import { expressionOf, migrateWith } from './_seeded.ts'

export default limit({
  title: 'A firewall rule with an expression of up to 4 KB can be migrated, and no longer one',
  max: 4 * KB,
  clause: 'waf-migration.limit.expression-length',
  unit: 'bytes',
  // A kilobyte is bytes, however few characters they are.
  variants: ['ASCII', 'two bytes a character'],
  smallest: 40,
  needs: ['management', 'disposableZone', 'previousWaf', 'migrated'],
  async probe(size, context, variant) {
    const expression = expressionOf(size, variant === 'ASCII' ? 1 : 2)
    const { kind, replies } = await migrateWith(context, [expression])
    const reply = replies.at(-1)!
    if (kind === 'unclear') return unclear(reply)
    return kind === 'migrated' ? accepted(reply) : rejected(reply)
  }
})
