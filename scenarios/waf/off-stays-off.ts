import { type Context, check, type Judge } from 'plimsoll'
import { isServed, items, quoted } from '../_reply.ts'
import { overridesIn, plans } from './_owasp.ts'
import { configurationIn, fates, isStopped, site, siteNeeds, stage } from './_stage.ts'

const clause = 'waf-migration.config'

/** A zone whose previous WAF was off has a new one that is off. */
async function judgeSwitch(context: Context & Judge, plan: string) {
  const on = await site(context, { plan, enabled: false })
  const [proposal, before] = [await on.proposal(), await on.attack('/')]
  if (proposal === undefined || isStopped(before)) return
  const update = await on.migrate('pending', proposal)
  const after = await on.attack('/')
  if (!isServed(update)) return
  const saw = `${plan}, the WAF was off: attack ${fates({ '/': after })} after the migration`
  context.verify(clause, { holds: !isStopped(after), saw }, update, after)
}

/** A rule of the previous WAF that was turned off is not turned on by the migration. */
async function judgeRule(context: Context & Judge, plan: string) {
  const { management } = context
  const on = await stage(context, plan)
  const plain = configurationIn(await on.config())
  const packages = `${on.path}/firewall/waf/packages`
  for (const { id } of items(await management.get(packages))) {
    const [rule] = items(await management.get(`${packages}/${id}/rules`))
    const off = { json: { mode: 'disable' } }
    // A package whose rules have no such mode has others.
    if (!rule || !isServed(await management.patch(`${packages}/${id}/rules/${rule.id}`, off)))
      continue
    const reply = await on.config()
    const offered = configurationIn(reply)
    if (plain === undefined || offered === undefined) return
    const known = new Set(overridesIn(plain).map((one) => quoted(one.id)))
    const added = overridesIn(offered).filter((one) => one.id && !known.has(quoted(one.id)))
    const holds = added.length > 0 && added.every(({ enabled }) => enabled === false)
    const saw = `${plan}, a rule was off: ${quoted(added)}`
    context.verify(clause, { holds, saw }, reply)
    return
  }
}

export default check({
  title: 'What was off in the previous WAF is off in the configuration that is offered for it',
  clauses: [clause],
  needs: siteNeeds,
  async run(context) {
    for (const plan of plans) {
      await judgeSwitch(context, plan)
      await judgeRule(context, plan)
    }
  }
})
