import { check, isOk } from 'plimsoll'
import { freshId } from '../_id.ts'
import { type Item, isServed, item, quoted } from '../_reply.ts'
import { createTally } from '../_tally.ts'
import { browsers, patiently, reporterOf } from './_browser.ts'
import { directives } from './_meeting.ts'
import { originServer } from './_origin.ts'

const names = { scripts: 'script', connections: 'connection', cookies: 'cookie' } as const
const kinds = ['scripts', 'connections', 'cookies'] as const
const clause = (kind: keyof typeof names, field: string) =>
  `page-protection.${names[kind]}.field.${field.replaceAll('_', '-')}`
const [seen, page] = ['first_seen_at', 'first_page_url']
const hourMs = 3_600_000
/** How exactly a moment is kept is not said: half of what has passed is no matter of rounding. */
const leastMs = hourMs / 2
/** What is met at first, and what is met an hour later, on another page. */
const times = [{ path: '/pay' }, { path: '/cart' }] as const
/** So often a page is visited: how often something is met until it is listed is not said. */
const visits = 3

export default check({
  title: 'What browsers first meet an hour later than other things was first seen then, and there',
  clauses: kinds.flatMap((kind) => [clause(kind, seen), clause(kind, page)]),
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
    const shown: (Item | undefined)[][] = []
    for (const one of met) {
      if (one !== met[0]) await adapter.clock(hourMs)
      for (let visit = 0; visit < visits; visit++) {
        const reply = await on.visit(one.path)
        const reporter = isOk(reply) ? reporterOf(reply) : undefined
        if (reporter === undefined) return
        const blocked = `https://${one.host}/`
        for (const directive of Object.values(directives))
          await on.report(reporter, { page: one.path, blocked, directive })
      }
      const listed = (kind: (typeof kinds)[number]) =>
        on.listed(kind).then(({ all }) => all.find((shown) => isOf(one, shown)))
      const look = () => Promise.all(kinds.map(listed))
      shown.push(await patiently(look, (all) => all.every(Boolean)))
    }
    const tally = createTally()
    for (const [at, kind] of kinds.entries()) {
      const [first, later] = shown.map((all) => all[at])
      const reply = first && later && (await on.read(kind, later))
      if (!reply || !isServed(reply)) continue
      const { [seen]: time, [page]: where } = item(reply)
      const told = { asked: `${kind} met an hour later`, reply }
      const sinceMs = Date.parse(time) - Date.parse(first[seen])
      tally.add(clause(kind, seen), { ...told, holds: sinceMs >= leastMs, saw: quoted(time) })
      const holds = `${where}`.endsWith(met[1]!.path)
      tally.add(clause(kind, page), { ...told, holds, saw: quoted(where) })
    }
    tally.tell(context)
  }
})
