import type { Context, Judge } from 'plimsoll'
import { isDefect, isServed, items, quoted } from '../_reply.ts'
import { attacks } from './_attacks.ts'
import { edgeCheck } from './_late.ts'
import { overridesIn, plans } from './_owasp.ts'
import { leaveOwasp } from './_previous-api.ts'
import { configurationIn, fates, isStopped, type Stage, site, siteNeeds, stage } from './_stage.ts'

const clause = 'waf-migration.config'

/** What a zone is offered; a defect in place of that is equivalent to nothing. */
async function offered({ verify }: Judge, { on, off }: { on: Stage; off: string }) {
  const reply = await on.config()
  if (isDefect(reply)) verify(clause, { holds: false, saw: `${off}: ${reply.because}` }, reply)
  return { proposal: configurationIn(reply), reply }
}

/** A zone whose previous WAF was off has a new one that is off. */
async function judgeSwitch(context: Context & Judge, plan: string) {
  const on = await site(context, { plan, enabled: false })
  const off = `${plan}, the WAF was off`
  const [{ proposal }, before] = [await offered(context, { on, off }), await on.attack('/')]
  if (proposal === undefined || isStopped(before)) return
  const update = await on.migrate('pending', proposal)
  const after = await on.attack('/')
  if (!isServed(update)) return
  const saw = `${off}: attack ${fates({ '/': after })} after the migration`
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
    const disabled = { json: { mode: 'disable' } }
    // A package whose rules have no such mode has others.
    if (!rule || !isServed(await management.patch(`${packages}/${id}/rules/${rule.id}`, disabled)))
      continue
    const off = `${plan}, a rule was off`
    const { proposal, reply } = await offered(context, { on, off })
    if (plain === undefined || proposal === undefined) return
    const known = new Set(overridesIn(plain).map((one) => quoted(one.id)))
    const added = overridesIn(proposal).filter((one) => one.id && !known.has(quoted(one.id)))
    const holds = added.length > 0 && added.every(({ enabled }) => enabled === false)
    const saw = `${off}: ${quoted(added)}`
    context.verify(clause, { holds, saw }, reply)
    return
  }
}

/** A package whose rules add up scores is off, and nothing else of the WAF is on. */
async function judgePackage(context: Context & Judge, plan: string) {
  const { management } = context
  const on = await site(context, { plan, enabled: true })
  const packages = `${on.path}/firewall/waf/packages`
  await leaveOwasp(management, on)
  for (const { id, sensitivity } of items(await management.get(packages)))
    if (sensitivity !== undefined)
      await management.patch(`${packages}/${id}`, { json: { sensitivity: 'off' } })
  // What adds up comes to a threshold where it is everything at once.
  const query = new URLSearchParams(Object.entries(attacks))
  const attacked = () => context.edge.as(on.zone.host).get(`/?${query}`)
  const before = await attacked()
  const off = `${plan}, all packages were off`
  const { proposal } = await offered(context, { on, off })
  // Where there is no such API, or no such word, the WAF is not off.
  if (proposal === undefined || isStopped(before)) return
  const update = await on.migrate('pending', proposal)
  const after = await attacked()
  if (!isServed(update)) return
  const saw = `${off}: attack ${fates({ '/': after })} after the migration`
  context.verify(clause, { holds: !isStopped(after), saw }, update, after)
}

export default edgeCheck({
  title: 'What was off in the previous WAF is off in the configuration that is offered for it',
  clauses: [clause],
  needs: siteNeeds,
  async run(context) {
    for (const plan of plans) {
      await judgeSwitch(context, plan)
      await judgeRule(context, plan)
    }
    await judgePackage(context, 'business')
  }
})
