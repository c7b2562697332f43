import { type Context, check, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { type Item, items } from '../_reply.ts'
import { smallPage } from '../_seed.ts'
import { browsers, patiently } from './_browser.ts'

const clause = 'page-protection.detection.detected'

/** So many scripts are on one page; how many there may be is not limited. */
const many = 8

/** A fresh zone with a page, and browsers that load it. */
async function stage(context: Context) {
  const { adapter, management, random } = context
  const zone = await adapter.zone('enterprise')
  await adapter.page(zone.id, '<!doctype html><title>Plimsoll</title><p>A page.</p>')
  const on = browsers(context, zone)
  return {
    ...on,
    /** How many of these scripts the lists show, on whichever of their pages. */
    async shown(addresses: readonly string[]): Promise<[number, Reply]> {
      const path = `/zones/${zone.id}/page_shield/scripts`
      const all: Item[] = []
      let reply: Reply | undefined
      for (const status of ['active', 'infrequent'])
        for (let page = 1; page <= 1 + (many + 1) / smallPage; page++) {
          reply = await management.get(path, { query: { status, page, per_page: smallPage } })
          all.push(...items(reply))
        }
      return [addresses.filter((one) => all.some(({ url }) => url === one)).length, reply!]
    },
    // On a server of its own, since of a connection no more may be shown.
    address: () => `https://${freshId(random).slice(0, 12)}.test/${freshId(random)}`,
    /** Reports a script and a connection as a browser does that met them on the page. */
    async reportBoth(reporter: string, addresses: { script: string; connection: string }) {
      const met = { 'script-src-elem': addresses.script, 'connect-src': addresses.connection }
      for (const [directive, blocked] of Object.entries(met))
        await on.report(reporter, { page: '/pay', blocked, directive })
    },
    /** Whether a list shows an address, of any status; connections may show its server only. */
    async shows(list: 'scripts' | 'connections', address: string): Promise<[boolean, Reply]> {
      const { replies } = await on.listed(list)
      const known = [address, ...(list === 'connections' ? [`${new URL(address).origin}/`] : [])]
      const isShown = (reply: Reply) =>
        items(reply).some((one) => known.includes(one.url) && zone.host === one.host)
      return [replies.some(isShown), replies.find(isShown) ?? replies[0]!]
    }
  }
}

export default check({
  title: 'What the pages of a zone load is detected while the feature is on, however much it is',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'page'],
  async run(context) {
    const on = await stage(context)
    const [script, connection] = [on.address(), on.address()]
    await on.turn(true)
    const reporter = await on.reporter()
    if (reporter === undefined) return
    const listed = async () => ({
      script: await on.shows('scripts', script),
      connection: await on.shows('connections', connection)
    })
    type Found = Awaited<ReturnType<typeof listed>>
    const isFound = ({ script, connection }: Found) => script[0] && connection[0]
    const look = async () => {
      await on.reportBoth(reporter, { script, connection })
      return listed()
    }
    const found = await patiently(look, isFound)
    const saw = `script listed: ${found.script[0]}, connection: ${found.connection[0]}`
    const seen = { holds: isFound(found), saw: `reported while on; ${saw}` }
    context.verify(clause, seen, found.script[1], found.connection[1])
    if (!isFound(found)) return
    const others = Array.from({ length: many }, on.address)
    for (let time = 0; time < 3; time++)
      for (const blocked of others)
        await on.report(reporter, { page: '/pay', blocked, directive: 'script-src-elem' })
    const [count, last] = await patiently(
      () => on.shown(others),
      ([count]) => count === many
    )
    const rest = `${many} more scripts reported; listed: ${count}`
    context.verify(clause, { holds: count === many, saw: rest }, last)
  }
})
