import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, isOk, type Judge, matrix, type Reply } from 'plimsoll'
import { isRefused, isServed } from '../_reply.ts'
import { edgeCheck } from './_late.ts'
import { fates, idle, isStopped, type Site, site, siteNeeds } from './_stage.ts'

const disabled = 'waf-migration.transition.complete-disables-previous'
const stops = 'waf-migration.after.previous-api-stops.packages'

/** How long a migration is to take, and how often is looked meanwhile. */
const [migrationMs, lookMs] = [250, 40]

/** Zones that are to be migrated, and by which updates. */
const courses = [
  { plan: 'business', updates: ['pending'] },
  { plan: 'enterprise', updates: ['validation', 'pending'] }
]

/** Looks at a zone again and again until nothing of its migration is under way any more. */
async function untilOver({ adapter }: Context, on: Site, look: () => Promise<unknown>) {
  let isOver = false
  const over = adapter.migrated(on.zone.id).finally(() => {
    isOver = true
  })
  while (!isOver) {
    await look()
    await sleep(lookMs)
  }
  await over
}

/** A site whose migration takes a moment and has been asked for, with its rules or none. */
async function underWay(context: Context, nth: number, isIdle: boolean) {
  const { plan, updates } = courses[nth]!
  const on = await site(context, { plan, enabled: true })
  await context.adapter.slowMigration(on.zone.id, migrationMs)
  const [proposal, before] = [await on.proposal(), await on.attack('/')]
  if (proposal === undefined || !isStopped(before)) return undefined
  for (const mode of updates)
    if (!isServed(await on.update(mode, isIdle ? idle(proposal) : proposal))) return undefined
  return { plan, on }
}

/** What was looked at while the previous WAF was still there is no longer so when it is not. */
async function judgeAfter(context: Context & Judge, nth: number) {
  const { management, verify } = context
  const zone = await underWay(context, nth, true)
  if (zone === undefined) return
  const { plan, on } = zone
  const packages = () => management.get(`${on.path}/firewall/waf/packages`)
  const first = await packages()
  await untilOver(context, on, async () => [await on.attack('/'), await packages()])
  const [attack, last] = [await on.attack('/'), await packages()]
  const saw = `${plan}, the migration took a moment: attack ${fates({ '/': attack })}`
  verify(disabled, { holds: isOk(attack), saw: `${saw}, no rule active` }, attack)
  // Where it is never served there is nothing to stop.
  const told = `${plan}, at first ${first.because}, then ${last.because}`
  if (isServed(first)) verify(stops, { holds: isRefused(last), saw: told }, first, last)
}

/** One WAF or the other is there all the while. */
async function judgeMeanwhile(context: Context & Judge, nth: number) {
  const zone = await underWay(context, nth, false)
  if (zone === undefined) return
  const { plan, on } = zone
  const replies: [Reply, ...Reply[]] = [await on.attack('/')]
  await untilOver(context, on, async () => replies.push(await on.attack(`/${replies.length}`)))
  replies.push(await on.attack('/last'))
  const through = replies.filter((reply) => !isStopped(reply))
  const saw = `${plan}: ${through.length} of ${replies.length} attacks let through meanwhile`
  context.verify(disabled, { holds: through.length === 0, saw }, ...replies)
}

export default edgeCheck({
  title: 'Where a migration takes a moment the previous WAF is disabled at its end, and not before',
  clauses: [disabled, stops],
  needs: [...siteNeeds, 'slowMigration'],
  async run(context) {
    const all = matrix({ nth: [...courses.keys()], judge: [judgeAfter, judgeMeanwhile] })
    await Promise.all(all.map(({ nth, judge }) => judge(context, nth)))
  }
})
