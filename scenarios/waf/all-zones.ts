import { check } from 'plimsoll'
import { hasLeft, outcomeOn, told } from './_migrated-zone.ts'
import { stage, stageOn } from './_stage.ts'

const clause = 'waf-migration.eligibility.all-zones-incl-partner'

export default check({
  title: 'Zones on every plan can migrate, and those of partners',
  clauses: [clause],
  needs: ['management', 'disposableZone', 'partnerZone', 'previousWaf', 'migrated'],
  async run(context) {
    const plan = 'business'
    const zone = await context.adapter.partnerZone(plan)
    const stages = {
      free: await stage(context, 'free'),
      pro: await stage(context, 'pro'),
      business: await stage(context, 'business'),
      enterprise: await stage(context, 'enterprise'),
      'a partner’s': await stageOn(context, { plan, zone })
    }
    for (const [name, on] of Object.entries(stages)) {
      const found = await outcomeOn(context, { on, uriOverrides: [] })
      const saw = `${name}: ${told(found)}`
      context.verify(clause, { holds: hasLeft(found), saw }, ...found.replies)
    }
  }
})
