import type { Context, Judge } from 'plimsoll'
import { isServed, quoted } from '../_reply.ts'
import { type Apart, apart } from './_apart.ts'
import { edgeCheck } from './_late.ts'
import { fates, isStopped, type Site, site, siteNeeds } from './_stage.ts'

const toValidation = 'waf-migration.transition.start-to-validation'
const both = 'waf-migration.transition.validation-both-enabled'
const newFirst = 'waf-migration.transition.validation-new-runs-first'

async function judgeBoth(context: Context & Judge, on: Site, after = 'one'): Promise<boolean> {
  const [ofNew, ofPrevious] = [await on.attack('/new/'), await on.attack('/old/')]
  const holds = isStopped(ofNew) && isStopped(ofPrevious)
  const fate = fates({ '/new/': ofNew, '/old/': ofPrevious })
  const saw = `after ${after} update, only the new WAF sees /new/: ${fate}`
  context.verify(both, { holds, saw }, ofNew, ofPrevious)
  return holds
}

/** What an update can say that does not say pending, which alone disables the previous WAF. */
const others = ['validation', '2', undefined, '20']

/** Both stay enabled, whichever update comes next, served or not, unless it is one with pending. */
async function judgeStaying(context: Context & Judge, { on, sent }: Apart) {
  for (const mode of others) {
    await (mode === undefined ? on.deploy(sent) : on.migrate(mode, sent))
    if (!(await judgeBoth(context, on, `one more (${mode ?? 'no waf_migration'})`))) return
  }
}

async function judgeOrder(context: Context & Judge) {
  const on = await site(context, { plan: 'enterprise', enabled: true })
  const proposal = await on.proposal()
  if (proposal === undefined) return
  const update = await on.migrate('validation', proposal)
  const reply = await on.attack('/order/')
  if (!isServed(update) || !isStopped(reply)) return
  const events = await context.adapter.securityEvents(on.zone.id)
  const sources = events.filter(({ path }) => path === '/order/').map(({ source }) => source)
  const [first] = sources.filter((source) => source === 'waf' || source === 'previous-waf')
  if (first === undefined) return
  const saw = `events of one request, in order: ${sources.join(', ')}`
  context.verify(newFirst, { holds: first === 'waf', saw }, reply)
}

export default edgeCheck({
  title: 'In validation mode both WAFs look at requests, the new one first',
  clauses: [toValidation, both, newFirst],
  needs: [...siteNeeds, 'securityEvents'],
  async run(context) {
    const found = await apart(context)
    if (found === undefined) return
    const { on, reply, state, isThere: holds } = found
    context.verify(toValidation, { holds, saw: `${reply.because}, state ${quoted(state)}` }, reply)
    // Of one that is not enabled there is nothing to say about the order.
    if (!holds || !(await judgeBoth(context, on))) return
    await judgeOrder(context)
    await judgeStaying(context, found)
  }
})
