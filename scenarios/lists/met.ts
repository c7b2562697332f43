import { check, type Look, matrix, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { type Item, isList, items } from '../_reply.ts'
import { smallPage } from '../_seed.ts'
import { createTally } from '../_tally.ts'
import { browsers, patiently } from '../detections/_browser.ts'
import { directives } from '../detections/_meeting.ts'
import { type Query, statuses, worded } from './_listing.ts'

const clause = (name: string) => `page-protection.list.${name}.scripts`
const [byHost, byStatus] = [clause('hosts-filter'), clause('status-filter')]
const usual = clause('default-status-active')

type Listed = { query: Query; reply: Reply; all: Item[] }

/** Holds what lists show of a host or a status against what those of every host show. */
function judge(lists: readonly Listed[], shared: string): [clause: string, Look][] {
  return lists.flatMap(({ query, reply, all }) => {
    const { status = 'active', hosts } = query
    const told = { asked: worded('scripts', query), reply }
    const odd = all.filter((one) => (one.status ?? status) !== status).length
    const ofStatus = { ...told, holds: odd === 0, saw: `${odd} of another status`, of: all.length }
    const looks: [string, Look][] = [[query.status ? byStatus : usual, ofStatus]]
    const whole = lists.find((one) => one.query.status === query.status && !one.query.hosts)
    if (hosts === undefined || !whole) return looks
    const due = whole.all.filter(({ host }) => host === hosts)
    // Whether what was met on both hosts is one or two, and shows which of them, is not said.
    const isOwn = all.every(({ host = hosts, url }) => host === hosts || url === shared)
    const holds = isOwn && due.every(({ id }) => all.some((one) => one.id === id))
    const saw = `${all.length} listed, where ${due.length} are shown with that host`
    return [...looks, [byHost, { ...told, holds, saw, of: whole.all.length }]]
  })
}

export default check({
  title: 'Scripts that browsers met are listed by the host and the status that they show',
  clauses: [byHost, byStatus, usual],
  needs: ['management', 'edge', 'zone', 'page'],
  async run(context) {
    const { management, adapter, random } = context
    const zone = await adapter.zone('enterprise')
    await adapter.page(zone.id, '<!doctype html><title>Plimsoll</title>')
    const address = () => `https://${freshId(random).slice(0, 12)}.test/a.js`
    const shared = address()
    const met: string[] = []
    // That a zone has hosts below its own is not said.
    const hosts = [zone.host, `shop.${zone.host}`]
    for (const host of hosts) {
      const on = browsers(context, { ...zone, host })
      if (host === zone.host) await on.turn(true)
      const reporter = await on.reporter()
      if (reporter === undefined) continue
      const once = address()
      for (const blocked of [shared, once, shared, shared])
        await on.report(reporter, { page: '/pay', blocked, directive: directives.scripts })
      met.push(shared, once)
    }
    const path = `/zones/${zone.id}/page_shield/scripts`
    const queries = matrix({ status: [undefined, ...statuses], hosts: [undefined, ...hosts] })
    const ask = async (query: Query): Promise<Listed> => {
      const reply = await management.get(path, { query: { ...query, per_page: smallPage } })
      return { query, reply, all: items(reply) }
    }
    const look = async () => {
      const lists = await Promise.all(queries.map(ask))
      return lists.filter(({ reply }) => isList(reply))
    }
    // How soon what is met is listed, and as what, is not said.
    const lists = await patiently(look, (seen) => {
      const shown = seen.flatMap(({ all }) => all.map(({ url }) => url))
      const isListed = met.every((url) => shown.includes(url))
      return isListed && judge(seen, shared).every(([, { holds }]) => holds)
    })
    const tally = createTally()
    for (const one of judge(lists, shared)) tally.add(...one)
    tally.tell(context)
  }
})
