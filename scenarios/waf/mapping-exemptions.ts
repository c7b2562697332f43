import { type Context, matrix, type Reply } from 'plimsoll'
import { isServed } from '../_reply.ts'
import { type Setting, settings } from './_exemptions.ts'
import { edgeCheck } from './_late.ts'
import { plans } from './_owasp.ts'
import { fates, isStopped, site, siteNeeds } from './_stage.ts'

/** What becomes of an attack at each place before and after the zone is migrated. */
async function migrated(context: Context, plan: string, { given, through, stopped }: Setting) {
  const on = await site(context, { plan, ...given })
  const attacked = async () => {
    const replies: Record<string, Reply> = {}
    for (const place of [...(through ?? []), ...(stopped ? [stopped] : [])])
      replies[place] = await on.attack(place)
    return replies
  }
  const before = await attacked()
  const proposal = await on.proposal()
  if (proposal === undefined) return undefined
  const update = await on.migrate('pending', proposal)
  return { before, update, after: await attacked() }
}

/** Whether it is stopped where it is to be, and nowhere else. */
const isAsSet = (replies: Record<string, Reply>, { stopped }: Setting) =>
  Object.entries(replies).every(([place, reply]) => isStopped(reply) === (place === stopped))

export default edgeCheck({
  title: 'Whatever the previous WAF was told to leave alone, the new one leaves alone',
  clauses: Object.keys(settings),
  needs: siteNeeds,
  async run(context) {
    for (const { clause, plan } of matrix({ clause: Object.keys(settings), plan: plans })) {
      const some = settings[clause]!
      const setting = some[plans.indexOf(plan)] ?? some.at(-1)!
      const found = await migrated(context, plan, setting)
      if (!found || !isServed(found.update) || !isAsSet(found.before, setting)) continue
      const { before, update, after } = found
      const saw = `${plan}, before ${fates(before)}; after ${fates(after)}`
      const holds = isAsSet(after, setting)
      context.verify(clause, { holds, saw }, update, ...Object.values(after))
    }
  }
})
