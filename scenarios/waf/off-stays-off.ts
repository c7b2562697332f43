import { type Context, check, type Judge } from 'plimsoll'
import { isServed, items, quoted } from '../_reply.ts'
import { attacks } from './_attacks.ts'
import { overridesIn, plans } from './_owasp.ts'
import { leaveOwasp } from './_previous-api.ts'
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
  const proposal = await on.proposal()
  // Where there is no such API, or no such word, the WAF is not off.
  if (proposal === undefined || isStopped(before)) return
  const update = await on.migrate('pending', proposal)
  const after = await attacked()
  if (!isServed(update)) return
  const saw = `${plan}, all packages were off: attack ${fates({ '/': after })} after the migration`
  context.verify(clause, { holds: !isStopped(after), saw }, update, after)
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
    await judgePackage(context, 'business')
  }
})
