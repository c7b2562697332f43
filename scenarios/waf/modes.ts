import { type Look, type Reply, summary } from 'plimsoll'
import { type Item, isServed, items } from '../_reply.ts'
import { type Attack, attacks, sendTo } from './_attacks.ts'
import { edgeCheck } from './_late.ts'
import { plans } from './_owasp.ts'
import { leaveOwasp } from './_previous-api.ts'
import { isStopped, type Site, site, siteNeeds } from './_stage.ts'

const clause = 'waf-migration.config'
const modes = ['simulate', 'challenge', 'block', 'disable', 'default']

/** What became of an attack: whether it was stopped, and what a WAF did, by which rule. */
type Fate = { reply: Reply; did: string; rules: string[] }

export default edgeCheck({
  title: 'A rule of the previous WAF in whatever mode does after the migration what it did before',
  clauses: [clause],
  needs: [...siteNeeds, 'securityEvents'],
  async run(context) {
    const { management, adapter, edge } = context
    let count = 0
    const attacked = async (on: Site, source: string): Promise<Fate[]> => {
      const paths: string[] = []
      const replies: Reply[] = []
      for (const attack of Object.keys(attacks) as Attack[]) {
        count++
        const way = { text: attacks[attack], place: 'the query', method: 'get' } as const
        paths.push(`/${count}`)
        replies.push(await sendTo(edge.as(on.zone.host), `/${count}`, way))
      }
      const events = await adapter.securityEvents(on.zone.id)
      return replies.map((reply, at) => {
        const own = events.filter((one) => one.path === paths[at] && one.source === source)
        const did = [isStopped(reply) ? 'stopped' : 'through', ...own.map(({ action }) => action)]
        return { reply, did: did.join(' '), rules: own.map(({ ruleId }) => ruleId) }
      })
    }
    const looks: Look[] = []
    for (const [nth, plan] of [...plans, 'free', 'pro'].entries()) {
      const on = await site(context, { plan, enabled: true })
      const packages = `${on.path}/firewall/waf/packages`
      const known: Item[] = items(await management.get(packages))
      const met = new Set((await attacked(on, 'previous-waf')).flatMap(({ rules }) => rules))
      // A group that is off is so before some modes of its rules are set, and after others.
      if (nth % 3 === 1) await leaveOwasp(management, on)
      for (const [at, id] of [...met].entries())
        for (const one of known)
          await management.patch(`${packages}/${one.id}/rules/${id}`, {
            json: { mode: modes[(at + nth) % modes.length] }
          })
      if (nth % 3 === 2) await leaveOwasp(management, on)
      const offered = await on.proposal()
      if (offered === undefined) continue
      const before = await attacked(on, 'previous-waf')
      if (!isServed(await on.migrate('pending', offered))) continue
      for (const [at, { did, reply }] of (await attacked(on, 'waf')).entries()) {
        const saw = `before ${before[at]!.did}, after ${did}`
        const asked = `${Object.keys(attacks)[at]} on ${plan}`
        looks.push({ asked, holds: did === before[at]!.did, saw, reply })
      }
    }
    const found = summary(looks)
    if (found) context.verify(clause, ...found)
  }
})
