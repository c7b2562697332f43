import { isServed } from '../_reply.ts'
import { edgeCheck } from './_late.ts'
import { fates, idle, isStopped, site, siteNeeds } from './_stage.ts'

const clause = 'waf-migration.transition.single-update-completes'

export default edgeCheck({
  title: 'On Pro and Business one update with pending is all a migration takes',
  clauses: [clause],
  needs: siteNeeds,
  async run(context) {
    for (const plan of ['pro', 'business']) {
      const on = await site(context, { plan, enabled: true })
      const [proposal, before] = [await on.proposal(), await on.attack('/')]
      if (proposal === undefined || !isStopped(before)) continue
      const reply = await on.migrate('pending', idle(proposal))
      if (!isServed(reply)) continue
      // The new rules do nothing: whatever is stopped is stopped by the previous WAF.
      const attack = await on.attack('/')
      const saw = `${plan}, after one update without active rules: attack ${fates({ '/': attack })}`
      context.verify(clause, { holds: !isStopped(attack), saw }, reply, attack)
    }
  }
})
