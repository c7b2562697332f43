import { check } from 'plimsoll'
import { offerFor, rulesOf } from './_owasp.ts'

const clause = 'waf-migration.mapping.owasp-specific-config-lost'

export default check({
  title: 'Some of what was specific to the previous OWASP rule set is lost by the migration',
  clauses: [clause],
  needs: ['management', 'disposableZone', 'previousWaf'],
  async run(context) {
    const plain = await offerFor(context, {})
    if (plain === undefined) return
    const lost: string[] = []
    for (const specific of [{ groupsOff: 2 }, { rulesOff: 3 }]) {
      const offer = await offerFor(context, specific)
      if (offer === undefined) return
      if (rulesOf(offer) === rulesOf(plain)) lost.push(...Object.keys(specific))
    }
    const saw = lost.length > 0 ? `no trace of ${lost.join(' and ')}` : 'nothing is lost'
    context.verify(clause, { holds: lost.length > 0, saw }, plain.reply)
  }
})
