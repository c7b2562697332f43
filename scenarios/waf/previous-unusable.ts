import { isServed } from '../_reply.ts'
import type { PreviousWaf } from './_capabilities.ts'
import { edgeCheck } from './_late.ts'
import { fates, idle, isStopped, site, siteNeeds } from './_stage.ts'

const clause = 'waf-migration.after.previous-waf-unusable'

export default edgeCheck({
  title: 'Once the migration is complete the previous WAF cannot be used again',
  clauses: [clause],
  needs: siteNeeds,
  async run(context) {
    const used: PreviousWaf = { enabled: true, pageRules: [{ url: '*', waf: 'on' }] }
    const on = await site(context, { plan: 'pro', ...used })
    const [proposal, before] = [await on.proposal(), await on.attack('/')]
    if (proposal === undefined || !isStopped(before)) return
    const reply = await on.migrate('pending', idle(proposal))
    if (!isServed(reply)) return
    // Everything that turned it on is set again.
    await on.previous(used)
    const attack = await on.attack('/')
    const saw = `the previous WAF turned on again: attack ${fates({ '/': attack })}`
    context.verify(clause, { holds: !isStopped(attack), saw }, reply, attack)
  }
})
