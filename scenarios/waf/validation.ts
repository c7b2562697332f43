import type { Context, Judge } from 'plimsoll'
import { quoted } from '../_reply.ts'
import { type Apart, apart } from './_apart.ts'
import { edgeCheck } from './_late.ts'
import { fates, isStopped, type Site, siteNeeds } from './_stage.ts'

const toValidation = 'waf-migration.transition.start-to-validation'
const both = 'waf-migration.transition.validation-both-enabled'

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

export default edgeCheck({
  title: 'In validation mode both WAFs look at requests, and stay enabled until it ends',
  clauses: [toValidation, both],
  needs: siteNeeds,
  async run(context) {
    const found = await apart(context)
    if (found === undefined) return
    const { on, reply, state, isThere: holds } = found
    context.verify(toValidation, { holds, saw: `${reply.because}, state ${quoted(state)}` }, reply)
    if (holds && (await judgeBoth(context, on))) await judgeStaying(context, found)
  }
})
