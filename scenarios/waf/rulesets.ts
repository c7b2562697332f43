import { type Item, isServed } from '../_reply.ts'
import { edgeCheck } from './_late.ts'
import { executing, site, siteNeeds } from './_stage.ts'

const clause = 'waf-migration.after.each-ruleset-individually'

const rulesetOf = ({ action_parameters: parameters }: Item) => `${parameters?.id}`

export default edgeCheck({
  title: 'Each managed ruleset is deployed by itself: one that is not deployed finds nothing',
  clauses: [clause],
  needs: [...siteNeeds, 'securityEvents'],
  async run(context) {
    const on = await site(context, { plan: 'pro', enabled: true })
    const proposal = await on.proposal()
    if (proposal === undefined) return
    const { name, rules } = executing(proposal)
    const update = await on.migrate('pending', proposal)
    if (!isServed(update) || rules.length < 2) return
    for (const [index, rule] of rules.entries()) {
      const deployed = await on.deploy({ name, rules: [rule] })
      const path = `/only/${index}`
      const reply = await on.attack(path)
      if (!isServed(deployed)) continue
      const events = await context.adapter.securityEvents(on.zone.id)
      const found = events.filter((event) => event.path === path && event.source === 'waf')
      const others = found.filter(({ rulesetId }) => rulesetId !== rulesetOf(rule))
      const saw = `only ${rulesetOf(rule)} deployed; ${others.length} findings of other rulesets`
      context.verify(clause, { holds: others.length === 0, saw }, deployed, reply)
    }
  }
})
