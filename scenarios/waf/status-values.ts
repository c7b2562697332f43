import { check } from 'plimsoll'
import { canonical, isItem, isServed, isTurnedDown, item, quoted } from '../_reply.ts'
import { configurationIn, stage } from './_stage.ts'

const clause = 'waf-migration.status'

/** Every value by its path: neither names nor how they are nested is shown. */
function leavesOf(told: unknown, path = ''): [path: string, value: string][] {
  if (!isItem(told)) return [[path, canonical(told)]]
  return Object.entries(told).flatMap(([name, value]) => leavesOf(value, `${path}/${name}`))
}

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
    const [enabled, disabled, both, after] = all.map((reply) => new Map(leavesOf(item(reply))))
    const isSame = (field: string, one?: Map<string, string>, other?: Map<string, string>) =>
      one?.get(field) === other?.get(field)
    // A field is known by when it changes.
    const fields = [...enabled!.keys()]
    const old = fields.filter((field) => !isSame(field, enabled, disabled))
    const isOld = old.some(
      (field) => isSame(field, both, enabled) && isSame(field, after, disabled)
    )
    const isNew = fields.some(
      (field) => !old.includes(field) && isSame(field, both, after) && !isSame(field, enabled, both)
    )
    const states = new Set([enabled, both, after].map((told) => JSON.stringify([...told!])))
    const holds = isOld && isNew && states.size === 3
    const names = ['enabled', 'disabled', 'validation mode', 'after']
    const saw = all.map((reply, at) => `${names[at]} ${quoted(item(reply))}`).join('; ')
    context.verify(clause, { holds, saw }, ...all)
  }
})
