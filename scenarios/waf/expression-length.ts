import { accepted, KB, limit, rejected, unclear } from 'plimsoll'
import { expressionOf, expressions, migrateWith } from './_seeded.ts'

export default limit({
  title: 'A firewall rule with an expression of up to 4 KB can be migrated, and no longer one',
  max: 4 * KB,
  clause: 'waf-migration.limit.expression-length',
  unit: 'bytes',
  // A kilobyte is bytes, however few characters they are.
  // Nor does it matter which of a zone's rules it is.
  variants: [
    'ASCII on pro, the only one',
    'ASCII on business, the last of three',
    'two bytes a character on enterprise, the second of three'
  ],
  repeats: 2,
  smallest: 40,
  needs: ['management', 'disposableZone', 'previousWaf', 'migrated'],
  async probe(size, context, variant) {
    const [letters, plan, place] = variant.split(/ on |, the /) as [string, string, string]
    const long = expressionOf(size, letters === 'ASCII' ? 1 : 2)
    const [one, other] = expressions(2) as [string, string]
    const all = { 'only one': [long], 'last of three': [one, other, long] }[place]
    const { kind, replies } = await migrateWith(context, {
      plan,
      expressions: all ?? [one, long, other]
    })
    const reply = replies.at(-1)!
    if (kind === 'unclear') return unclear(reply)
    return kind === 'migrated' ? accepted(reply) : rejected(reply)
  }
})
