import { isServed, quoted } from '../_reply.ts'
import { edgeCheck } from './_late.ts'
import { fates, idle, isStopped, site, siteNeeds } from './_stage.ts'

const clause = 'waf-migration.transition.validation-to-complete'

export default edgeCheck({
  title: 'From validation mode an update with pending and a configuration completes the migration',
  clauses: [clause],
  needs: siteNeeds,
  async run(context) {
    const on = await site(context, { plan: 'enterprise', enabled: true })
    const proposal = await on.proposal()
    if (proposal === undefined) return
    const validation = await on.migrate('validation', proposal)
    const before = await on.state()
    if (!isServed(validation) || before === undefined || before === 'start') return
    const bare = await on.migrate('pending', {})
    const still = await on.state()
    const kept = { holds: still === before, saw: `without a configuration: state ${quoted(still)}` }
    context.verify(clause, kept, bare)
    const reply = await on.migrate('pending', idle(proposal))
    const after = await on.state()
    // The new rules do nothing, so whatever is stopped now is stopped by the previous WAF.
    const attack = await on.attack('/')
    const isMoved = after !== undefined && after !== before && after !== 'start'
    const holds = isServed(reply) && isMoved && !isStopped(attack)
    const saw = `state ${quoted(before)}, then ${quoted(after)}; attack ${fates({ '/': attack })}`
    context.verify(clause, { holds, saw }, reply, attack)
  }
})
