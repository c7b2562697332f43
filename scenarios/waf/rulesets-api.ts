import { isServed } from '../_reply.ts'
import { edgeCheck } from './_late.ts'
import { fates, idle, isStopped, site, siteNeeds } from './_stage.ts'

const clause = 'waf-migration.after.rulesets-api-manages'

export default edgeCheck({
  title: 'After the migration the rulesets API says what the new WAF does',
  clauses: [clause],
  needs: siteNeeds,
  async run(context) {
    const on = await site(context, { plan: 'pro', enabled: true })
    const proposal = await on.proposal()
    if (proposal === undefined) return
    const update = await on.migrate('pending', proposal)
    if (!isServed(update) || !isStopped(await on.attack('/'))) return
    const quiet = await on.deploy(idle(proposal))
    const [off, again] = [await on.attack('/'), await on.deploy(proposal)]
    const back = await on.attack('/')
    const holds = isServed(quiet) && isServed(again) && !isStopped(off) && isStopped(back)
    const saw = `no rule enabled: ${fates({ '/': off })}; rules enabled: ${fates({ '/': back })}`
    context.verify(clause, { holds, saw }, quiet, off, again, back)
  }
})
