import { type Client, type Context, generated, type Look, type Reply } from 'plimsoll'
import { isDefect, isServed, items, quoted } from '../_reply.ts'
import { type Attack, attacks, sendTo } from './_attacks.ts'
import { edgeCheck } from './_late.ts'
import { anyPrevious, type Previous } from './_previous-by-chance.ts'
import { configurationIn, isStopped, site, siteNeeds } from './_stage.ts'

const clause = 'waf-migration.config'
const paths = ['/a/1', '/b/1', '/c', '/d.php']

/**
 * Sets groups and rules of the package that acts on each match, and turns off the one that adds up
 * scores, where there is such an API.
 */
async function setModes(management: Client, zone: string, { groups, rules, isOwaspOff }: Previous) {
  const all = `${zone}/firewall/waf/packages`
  for (const { id, sensitivity } of items(await management.get(all))) {
    if (isOwaspOff && sensitivity !== undefined)
      await management.patch(`${all}/${id}`, { json: { sensitivity: 'off' } })
    for (const [kind, modes] of Object.entries({ groups, rules })) {
      const members = items(await management.get(`${all}/${id}/${kind}`))
      for (const { at, mode } of modes) {
        const member = members[at % members.length]
        // What is said of rules that add up scores is not migrated.
        if (!member || (kind === 'rules' && !member.allowed_modes?.includes(mode))) continue
        await management.patch(`${all}/${id}/${kind}/${member.id}`, { json: { mode } })
      }
    }
  }
}

/** What becomes of every attack at every path: which are stopped. */
async function stoppedIn(context: Context, host: string): Promise<[string[], Reply]> {
  const client = context.edge.as(host)
  const stopped: string[] = []
  let last: Reply | undefined
  for (const [nth, attack] of (Object.keys(attacks) as Attack[]).entries()) {
    for (const at of [nth, nth + 1]) {
      const path = paths[at % paths.length]!
      const way = { text: attacks[attack], place: 'the query', method: 'get' } as const
      last = await sendTo(client, path, way)
      if (isStopped(last)) stopped.push(`${attack} at ${path}`)
    }
  }
  return [stopped, last!]
}

export default edgeCheck({
  title:
    'Whatever the previous WAF is like, the configuration that is offered for it does the same',
  clauses: [clause],
  needs: siteNeeds,
  async run(context) {
    const found = await generated(context, {
      of: anyPrevious,
      budget: { quick: 5, full: 80 },
      async ask(previous): Promise<Look | undefined> {
        const on = await site(context, { plan: previous.plan })
        await on.previous(previous.given(on.zone.host))
        await setModes(context.management, on.path, previous)
        const offer = await on.config()
        // There is something equivalent to each, since all zones can migrate.
        if (isDefect(offer))
          return { asked: previous.told, holds: false, saw: offer.because, reply: offer }
        const proposal = configurationIn(offer)
        if (proposal === undefined) return undefined
        const [before] = await stoppedIn(context, on.zone.host)
        if (!isServed(await on.migrate('pending', proposal))) return undefined
        const [after, reply] = await stoppedIn(context, on.zone.host)
        const odd = before.filter((one) => !after.includes(one))
        const more = after.filter((one) => !before.includes(one))
        const saw = `${before.length} stopped before; not now ${quoted(odd)}, newly ${quoted(more)}`
        return { asked: previous.told, holds: odd.length + more.length === 0, saw, reply }
      }
    })
    if (found) context.verify(clause, ...found)
  }
})
