import { check } from 'plimsoll'
import { isServed, isTurnedDown, item, quoted } from '../_reply.ts'
import { configurationIn, stage } from './_stage.ts'

const clause = 'waf-migration.status'

export default check({
  title: 'The status tells of each WAF whether it is enabled, wherever the migration is',
  clauses: [clause],
  needs: ['management', 'disposableZone', 'previousWaf', 'migrated'],
  async run(context) {
    const [on, off] = [await stage(context, 'enterprise'), await stage(context, 'enterprise')]
    await context.adapter.previousWaf(on.zone.id, { enabled: true })
    await context.adapter.previousWaf(off.zone.id, { enabled: false })
    const replies = { on: await on.status(), off: await off.status() }
    const offered = configurationIn(await on.config())
    if (offered === undefined || !isServed(await on.migrate('validation', offered))) return
    const validation = await on.status()
    if (!isServed(await on.migrate('pending', offered))) return
    const complete = await on.status()
    const all = [replies.on, replies.off, validation, complete] as const
    if (all.some(isTurnedDown)) return
    const [enabled, disabled, both, after] = all.map(item) as [object, object, object, object]
    const at = (told: object, field: string) => quoted((told as Record<string, unknown>)[field])
    // The names are not shown: a field is known by when it changes.
    const fields = Object.keys(enabled)
    const old = fields.filter((field) => at(enabled, field) !== at(disabled, field))
    const isOld = old.some(
      (field) => at(both, field) === at(enabled, field) && at(after, field) === at(disabled, field)
    )
    const isNew = fields.some(
      (field) =>
        !old.includes(field) &&
        at(both, field) === at(after, field) &&
        at(enabled, field) !== at(both, field)
    )
    const states = new Set([enabled, both, after].map((told) => JSON.stringify(told)))
    const holds = isOld && isNew && states.size === 3
    const saw = Object.entries({ disabled, enabled, 'validation mode': both, after })
      .map(([name, told]) => `${name} ${quoted(told)}`)
      .join('; ')
    context.verify(clause, { holds, saw }, ...all)
  }
})
