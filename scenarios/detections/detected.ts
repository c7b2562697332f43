import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, check, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { items } from '../_reply.ts'
import { browsers, patiently } from './_browser.ts'

const clause = 'page-protection.detection.detected'

/** How long something is given to be listed that must not be. */
const graceMs = 100

/** A fresh zone with a page, and browsers that load it. */
async function stage(context: Context) {
  const { adapter, random } = context
  const zone = await adapter.zone('enterprise')
  await adapter.page(zone.id, '<!doctype html><title>Plimsoll</title><p>A page.</p>')
  const on = browsers(context, zone)
  return {
    ...on,
    address: () => `https://third-party.test/${freshId(random)}`,
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
  title:
    'What the pages of a zone load is detected while the feature is on, and not while it is off',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'page'],
  async run(context) {
    const on = await stage(context)
    const [script, connection, later] = [on.address(), on.address(), on.address()]
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
    await on.turn(false)
    for (let time = 0; time < 3; time++)
      await on.reportBoth(reporter, { script: later, connection: later })
    await sleep(graceMs)
    const [isShown, reply] = await on.shows('scripts', later)
    context.verify(
      clause,
      { holds: !isShown, saw: `reported while off; listed: ${isShown}` },
      reply
    )
  }
})
