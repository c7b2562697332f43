import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, check, isOk, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { items } from '../_reply.ts'

const clause = 'page-protection.detection.detected'

/** How often a list is looked at again, and how long after one another; reports come once more. */
const looks = 15
const lookAgainMs = 100

/** The address that a page has browsers report to, if its headers name one. */
function reporterOf({ headers }: Reply): string | undefined {
  const policies = (headers['content-security-policy-report-only'] ?? '').split(',')
  const named = policies.map((policy) => /(?:^|;)\s*report-uri\s+([^\s;]+)/i.exec(policy)?.[1])
  return named.find((address) => address !== undefined)
}

/** A fresh zone with a page, and browsers that load it. */
async function stage({ management, edge, adapter, random }: Context) {
  const zone = await adapter.zone('enterprise')
  await adapter.page(zone.id, '<!doctype html><title>Plimsoll</title><p>A page.</p>')
  const client = edge.as(zone.host)
  const path = `/zones/${zone.id}/page_shield`
  const page = `http://${zone.host}/pay`
  return {
    turn: (enabled: boolean) => management.put(path, { json: { enabled } }),
    visit: () => client.get('/pay'),
    address: () => `https://third-party.test/${freshId(random)}`,
    /** Reports a script and a connection as a browser does that met them on the page. */
    async report(reporter: string, addresses: { script: string; connection: string }) {
      const { pathname, search } = new URL(reporter, page)
      const met = { 'script-src-elem': addresses.script, 'connect-src': addresses.connection }
      for (const [directive, blocked] of Object.entries(met)) {
        const said = { 'effective-directive': directive, 'violated-directive': directive }
        const where = { 'document-uri': page, 'blocked-uri': blocked, disposition: 'report' }
        const body = JSON.stringify({ 'csp-report': { ...said, ...where } })
        const headers = { 'content-type': 'application/csp-report' }
        await client.post(pathname + search, { body, headers })
      }
    },
    /** Whether a list shows an address, of any status; connections may show its server only. */
    async shows(list: string, address: string): Promise<[boolean, Reply]> {
      const replies: Reply[] = []
      for (const status of ['active', 'infrequent'])
        replies.push(await management.get(`${path}/${list}`, { query: { status } }))
      const known = [address, ...(list === 'connections' ? [`${new URL(address).origin}/`] : [])]
      const isShown = (reply: Reply) =>
        items(reply).some((one) => known.includes(one.url) && new URL(page).hostname === one.host)
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
    const page = await on.visit()
    const reporter = reporterOf(page)
    if (!isOk(page) || reporter === undefined) return
    const listed = async () => ({
      script: await on.shows('scripts', script),
      connection: await on.shows('connections', connection)
    })
    let found = await listed()
    const isFound = () => found.script[0] && found.connection[0]
    for (let look = 0; look < looks && !isFound(); look++) {
      await on.report(reporter, { script, connection })
      if (look > 0) await sleep(lookAgainMs)
      found = await listed()
    }
    const saw = `script listed: ${found.script[0]}, connection: ${found.connection[0]}`
    const seen = { holds: isFound(), saw: `reported while on; ${saw}` }
    context.verify(clause, seen, found.script[1], found.connection[1])
    if (!isFound()) return
    await on.turn(false)
    for (let time = 0; time < 3; time++)
      await on.report(reporter, { script: later, connection: later })
    await sleep(lookAgainMs)
    const [isShown, reply] = await on.shows('scripts', later)
    context.verify(
      clause,
      { holds: !isShown, saw: `reported while off; listed: ${isShown}` },
      reply
    )
  }
})
