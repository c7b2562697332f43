import { check, isOk, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { type Item, isServed, item, quoted } from '../_reply.ts'
import { createTally, type Tally } from '../_tally.ts'
import { browsers, patiently, reporterOf } from './_browser.ts'
import { directives } from './_meeting.ts'
import { originServer } from './_origin.ts'

const names = { scripts: 'script', connections: 'connection', cookies: 'cookie' } as const
const kinds = ['scripts', 'connections', 'cookies'] as const
const clause = (kind: keyof typeof names, field: string) =>
  `page-protection.${names[kind]}.field.${field.replaceAll('_', '-')}`
const [seen, page] = ['first_seen_at', 'first_page_url']
const detected = 'page-protection.detection.detected'
const [hourMs, dayMs] = [3_600_000, 86_400_000]
/** How exactly a moment is kept is not said: half of what has passed is no matter of rounding. */
const leastMs = hourMs / 2
/** What is met at first, and what is met an hour later, on another page. */
const times = [{ path: '/pay' }, { path: '/cart' }] as const
/** So often a page is visited: how often something is met until it is listed is not said. */
const visits = 3

/** What is listed of each kind of something that was met, if it is. */
type Listed = { own: Item | undefined; reply: Reply }[]
type Lists = { before: Listed; after: Listed }

/** Holds what was met later against what was listed before. */
async function judge(
  on: ReturnType<typeof browsers>,
  tally: Tally,
  { before, after }: Lists
): Promise<void> {
  for (const [at, kind] of kinds.entries()) {
    const [{ own: first }, { own: later, reply: list }] = [before[at]!, after[at]!]
    if (!first) continue
    const [asked, saw] = [`${kind} beside what was listed before`, later ? 'listed' : 'not listed']
    tally.add(detected, { asked, holds: later !== undefined, saw, reply: list })
    const reply = later && (await on.read(kind, later))
    if (!reply || !isServed(reply)) continue
    const { [seen]: time, [page]: where } = item(reply)
    const told = { asked: `${kind} met an hour later`, reply }
    const sinceMs = Date.parse(time) - Date.parse(first[seen])
    tally.add(clause(kind, seen), { ...told, holds: sinceMs >= leastMs, saw: quoted(time) })
    const holds = `${where}`.endsWith(times[1].path)
    tally.add(clause(kind, page), { ...told, holds, saw: quoted(where) })
  }
}

export default check({
  title: 'What browsers first meet an hour later than other things was first seen then, and there',
  clauses: [detected, ...kinds.flatMap((kind) => [clause(kind, seen), clause(kind, page)])],
  needs: ['management', 'edge', 'zone', 'origin', 'clock'],
  alone: ['clock'],
  async run(context) {
    const { adapter, random } = context
    const zone = await adapter.zone('enterprise')
    const name = () => freshId(random).slice(0, 12)
    const met = times.map(({ path }) => ({ path, cookie: name(), host: `${name()}.test` }))
    await using origin = await originServer((path) => ({
      type: 'text/html',
      cookies: met.filter((one) => one.path === path).map(({ cookie }) => `${cookie}=1; Path=/`),
      body: '<!doctype html><title>Plimsoll</title>'
    }))
    await adapter.origin(zone.id, origin.url)
    const on = browsers(context, zone)
    await on.turn(true)
    const isOf = ({ cookie, host }: (typeof met)[number], shown: Item) =>
      shown.name === cookie || `${shown.url}`.includes(host)
    /** Has browsers meet something on its page, and looks for it; undefined where none reports. */
    const meet = async (one: (typeof met)[number]) => {
      for (let visit = 0; visit < visits; visit++) {
        const reply = await on.visit(one.path)
        const reporter = isOk(reply) ? reporterOf(reply) : undefined
        if (reporter === undefined) return undefined
        const blocked = `https://${one.host}/`
        for (const directive of Object.values(directives))
          await on.report(reporter, { page: one.path, blocked, directive })
      }
      const listed = async (kind: (typeof kinds)[number]) => {
        const { all, replies } = await on.listed(kind)
        return { own: all.find((shown) => isOf(one, shown)), reply: replies[0]! }
      }
      const look = () => Promise.all(kinds.map(listed))
      return patiently(look, (all) => all.every(({ own }) => own))
    }
    const before = await meet(met[0]!)
    await adapter.clock(hourMs)
    let after = await meet(met[1]!)
    if (after?.some(({ own }) => !own)) {
      // How soon something is listed is not said; in a day it is.
      await adapter.clock(dayMs)
      after = await meet(met[1]!)
    }
    if (before === undefined || after === undefined) return
    const tally = createTally()
    await judge(on, tally, { before, after })
    tally.tell(context)
  }
})
