import { randomUUID } from 'node:crypto'
import { type Context, check, isOk, type Look, summary } from 'plimsoll'
import { freshId } from '../_id.ts'
import { isServed } from '../_reply.ts'
import type { Zone } from '../_zone.ts'
import { browsers, patience, reporterOf } from './_browser.ts'
import { directives } from './_meeting.ts'
import { originServer } from './_origin.ts'

const clause = 'page-protection.detection.detected'
const kinds = ['scripts', 'connections', 'cookies'] as const
/** Whether the feature is on, one after another, in each of the zones. */
const courses = [
  [true, false, true],
  [false, true]
]
/** So many visits are looked at while it is on, since a target may have a share of them watched. */
const visits = { on: 20, off: 3 }

/** A zone with browsers that meet a script, a connection and a cookie of one name, over again. */
function visited(context: Context, zone: Zone) {
  const on = browsers(context, zone)
  let reporter: string | undefined
  return {
    turn: on.turn,
    /** Whether a page has browsers report, which none has any more once the feature is off. */
    isReporting: async () => reporterOf(await on.visit(`/${randomUUID()}`)) !== undefined,
    isWatched: () => reporter !== undefined,
    lists: () => Promise.all(kinds.map((kind) => on.listed(kind))),
    /** Visits the page of that name, until it says where to report to, and reports there. */
    async meet(name: string, most: number) {
      let told: string | undefined
      for (let visit = 0; visit < most && told === undefined; visit++) {
        const page = await on.visit(`/${name}`)
        told = isOk(page) ? reporterOf(page) : undefined
      }
      reporter = told ?? reporter
      const met = { page: `/${name}`, blocked: `https://${name}.test/` }
      for (const directive of reporter === undefined ? [] : Object.values(directives))
        await on.report(reporter!, { ...met, directive })
    }
  }
}

export default check({
  title:
    'What pages load is detected while the feature is on, whatever it was before, and only then',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'origin'],
  async run(context) {
    const { adapter, random, verify } = context
    await using origin = await originServer((path) => ({
      type: 'text/html',
      cookies: [`${path.slice(1)}=1; Path=/`],
      body: '<!doctype html><title>Plimsoll</title>'
    }))
    const looks: Look[] = []
    const [until, off] = [patience(), patience()]
    for (const course of courses) {
      const zone = await adapter.zone('enterprise')
      await adapter.origin(zone.id, origin.url)
      const on = visited(context, zone)
      const names: { name: string; enabled: boolean }[] = []
      for (const [nth, enabled] of course.entries()) {
        if (!isServed(await on.turn(enabled))) return
        const name = freshId(random).slice(0, 12)
        names.push({ name, enabled })
        if (!enabled) {
          // How soon that is in force is not said.
          await off(on.isReporting, (isReporting) => !isReporting)
          await on.meet(name, visits.off)
          continue
        }
        const look = () => on.meet(name, visits.on).then(on.lists)
        const lists = await until(look, (shown) =>
          shown.every(({ all }) => JSON.stringify(all).includes(name))
        )
        // Where no page of the first zone has browsers report, nobody knows how pages are watched.
        if (course === courses[0] && !on.isWatched()) return
        for (const [at, { all, replies }] of lists.entries())
          for (const one of names) {
            const told = course.slice(0, nth + 1).map((isOn) => (isOn ? 'on' : 'off'))
            const asked = `${kinds[at]} met while ${one.enabled ? 'on' : 'off'}: ${told.join(', ')}`
            const isShown = JSON.stringify(all).includes(one.name)
            const saw = isShown ? 'listed' : 'not listed'
            looks.push({ asked, holds: isShown === one.enabled, saw, reply: replies[0]! })
          }
      }
    }
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
})
