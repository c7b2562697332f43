import { type Context, isOk, type Judge, type Reply } from 'plimsoll'
import { isRefused, isServed, quoted } from '../_reply.ts'
import { edgeCheck } from './_late.ts'
import {
  type Configuration,
  executing,
  fates,
  idle,
  isStopped,
  type Site,
  site,
  siteNeeds
} from './_stage.ts'

const clause = 'waf-migration.transition.complete-disables-previous'

/** How often a zone is attacked while it is being migrated. */
const attacks = 20

async function protectedSite(context: Context, plan = 'business'): Promise<Site | undefined> {
  const on = await site(context, { plan, enabled: true })
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

/** What no configuration is made of, one with its rules and one without. */
const broken = ({ name, rules: [rule] }: Configuration) => [
  { name, rules: [{ ...rule, action_parameters: { id: '0'.repeat(32) } }] },
  { name, rules: [{ ...rule, expression: 'http.host eq' }] },
  { name, rules: 'none' },
  { name }
]

/** What is turned down is not saved, and disables nothing: neither at first nor side by side. */
async function judgeRefused(context: Context & Judge, { plan, isBoth = false }: Refused) {
  const on = await protectedSite(context, plan)
  const proposal = await on?.proposal()
  if (!on || !proposal) return
  if (isBoth && !isServed(await on.migrate('validation', proposal))) return
  const before = await on.state()
  for (const [nth, sent] of broken(executing(proposal)).entries()) {
    const update = await on.migrate(nth % 2 ? '1' : 'pending', sent)
    // What is taken nevertheless is saved.
    if (!isRefused(update)) return
    const [state, attack] = [await on.state(), await on.attack(`/${nth}`)]
    const holds = state === before && isStopped(attack)
    const fate = `state ${quoted(before)}, then ${quoted(state)}; attack ${fates({ '/': attack })}`
    const saw = `${plan}, an update that is refused (${update.because}): ${fate}`
    context.verify(clause, { holds, saw }, update, attack)
    if (!holds) return
  }
}

type Refused = { plan: string; isBoth?: boolean }

export default edgeCheck({
  title: 'Completion disables the previous WAF, and not before the new one is enabled',
  clauses: [clause],
  needs: siteNeeds,
  async run(context) {
    await judgeDisabled(context)
    await judgeWithoutGap(context)
    for (const plan of ['pro', 'business', 'enterprise']) await judgeRefused(context, { plan })
    await judgeRefused(context, { plan: 'enterprise', isBoth: true })
  }
})
