import { type Context, isOk } from 'plimsoll'
import { isServed } from '../_reply.ts'
import { edgeCheck } from './_late.ts'
import { type Configuration, fates, isStopped, type Site, site, siteNeeds } from './_stage.ts'

const noSwitch = 'waf-migration.after.no-global-switch'
const pageRule = 'waf-migration.after.page-rule-off-ineffective'
const skipRules = 'waf-migration.after.skip-rules-needed'

/** A migrated zone whose new WAF stops attacks, and the configuration that makes it do so. */
async function completed(context: Context) {
  const on = await site(context, { plan: 'pro', enabled: true })
  const proposal = await on.proposal()
  if (proposal === undefined) return undefined
  const update = await on.migrate('pending', proposal)
  const isWorking = isServed(update) && isStopped(await on.attack('/'))
  return isWorking ? { on, proposal } : undefined
}

const skip = {
  action: 'skip',
  action_parameters: { ruleset: 'current' },
  expression: 'starts_with(http.request.uri.path, "/skipped/")',
  description: 'Plimsoll: nothing to look for here',
  enabled: true
}

async function skipping(on: Site, { name, rules }: Configuration) {
  const update = await on.deploy({ name, rules: [skip, ...rules] })
  const replies = { '/skipped/a': await on.attack('/skipped/a'), '/a': await on.attack('/a') }
  const holds = isServed(update) && isOk(replies['/skipped/a']) && isStopped(replies['/a'])
  const saw = `a skip rule for /skipped/: ${update.because}; ${fates(replies)}`
  return { seen: { holds, saw }, replies: [update, ...Object.values(replies)] as const }
}

export default edgeCheck({
  title: 'No switch and no page rule turns the new WAF off; exceptions take skip rules',
  clauses: [noSwitch, pageRule, skipRules],
  needs: siteNeeds,
  async run(context) {
    const found = await completed(context)
    if (found === undefined) return
    const { on, proposal } = found
    await on.previous({ enabled: false })
    const off = await on.attack('/')
    const saw = `the switch of the previous WAF is off: attack ${fates({ '/': off })}`
    context.verify(noSwitch, { holds: isStopped(off), saw }, off)
    await on.previous({ enabled: true, pageRules: [{ url: '*/off/*', waf: 'off' }] })
    const ruled = await on.attack('/off/a')
    const fate = `page rule WAF Off for it: attack ${fates({ '/off/a': ruled })}`
    context.verify(pageRule, { holds: isStopped(ruled), saw: fate }, ruled)
    const { seen, replies } = await skipping(on, proposal)
    context.verify(skipRules, seen, ...replies)
  }
})
