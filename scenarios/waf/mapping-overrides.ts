import { check } from 'plimsoll'
import { offerFor, rulesOf } from './_owasp.ts'

const dropped = {
  'waf-migration.mapping.owasp-group-overrides-dropped': { groupsOff: 2 },
  'waf-migration.mapping.owasp-rule-overrides-dropped': { rulesOff: 3 }
}

export default check({
  title: 'Overrides of groups and rules of the OWASP package are not migrated',
  clauses: Object.keys(dropped),
  needs: ['management', 'disposableZone', 'previousWaf'],
  async run(context) {
    const plain = await offerFor(context, {})
    if (plain === undefined) return
    const expected = rulesOf(plain)
    for (const [clause, overrides] of Object.entries(dropped)) {
      const offer = await offerFor(context, overrides)
      if (offer === undefined) continue
      const holds = rulesOf(offer) === expected
      const saw = `with overrides the configuration is ${holds ? 'the same' : 'another'}`
      context.verify(clause, { holds, saw }, plain.reply, offer.reply)
    }
  }
})
