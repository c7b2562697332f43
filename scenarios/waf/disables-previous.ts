import { type Context, isOk, type Judge, type Reply } from 'plimsoll'
import { isServed } from '../_reply.ts'
import { edgeCheck } from './_late.ts'
import { fates, idle, isStopped, type Site, site, siteNeeds } from './_stage.ts'

const clause = 'waf-migration.transition.complete-disables-previous'

/** How often a zone is attacked while it is being migrated. */
const attacks = 20

async function protectedSite(context: Context): Promise<Site | undefined> {
  const on = await site(context, { plan: 'business', enabled: true })
  return isStopped(await on.attack('/')) ? on : undefined
}

async function judgeDisabled(context: Context & Judge) {
  const on = await protectedSite(context)
  const proposal = await on?.proposal()
  if (!on || !proposal) return
  const update = await on.migrate('pending', idle(proposal))
  const attack = await on.attack('/')
  if (!isServed(update)) return
  const saw = `completed without active rules: attack ${fates({ '/': attack })}`
  context.verify(clause, { holds: isOk(attack), saw }, update, attack)
}

/** The previous WAF goes when the new one is there: at no moment is there neither. */
async function judgeWithoutGap(context: Context & Judge) {
  const on = await protectedSite(context)
  const proposal = await on?.proposal()
  if (!on || !proposal) return
  const replies: Reply[] = []
  const update = on.migrate('pending', proposal)
  for (let number = 0; number < attacks; number++) replies.push(await on.attack(`/${number}`))
  const updated = await update
  if (!isServed(updated)) return
  const through = replies.filter((reply) => !isStopped(reply))
  const saw = `${through.length} of ${attacks} attacks let through while the zone was migrated`
  context.verify(clause, { holds: through.length === 0, saw }, updated, ...replies)
}

export default edgeCheck({
  title: 'Completion disables the previous WAF, and not before the new one is enabled',
  clauses: [clause],
  needs: siteNeeds,
  async run(context) {
    await judgeDisabled(context)
    await judgeWithoutGap(context)
  }
})
