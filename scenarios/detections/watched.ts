import { check, isOk, type Reply } from 'plimsoll'
import { freshId } from '../_id.ts'
import { browsers, patiently } from './_browser.ts'

const clause = 'page-protection.detection.detected'
const dayMs = 86_400_000
/** So many visits are looked at, since a target may have a share of them watched. */
const visits = 20
/** How often is looked for what a target finds out by itself: for 18 s where it does not. */
const looks = 17

/** Headers by which a browser is told where to report what a page loads. */
const reporting = ['report-to', 'reporting-endpoints']
const policies = ['content-security-policy', 'content-security-policy-report-only']

/** Whether a browser is told to report, or is sent another page than the origin has. */
function isWatched({ headers, body }: Reply, html: string): boolean {
  const isTold = policies.some((name) => /\breport-(uri|to)\b\s+\S/i.test(headers[name] ?? ''))
  return isTold || reporting.some((name) => name in headers) || body !== html
}

export default check({
  title: 'A page is watched while the feature is on, or what it loads is found out without that',
  clauses: [clause],
  needs: ['management', 'edge', 'zone', 'page', 'clock'],
  alone: ['clock'],
  async run(context) {
    const { adapter, edge, random, verify } = context
    const zone = await adapter.zone('enterprise')
    const script = `https://${freshId(random).slice(0, 12)}.test/a.js`
    const html = `<!doctype html><title>Plimsoll</title><script src="${script}"></script>`
    await adapter.page(zone.id, html)
    const on = browsers(context, zone)
    await on.turn(true)
    const look = () => edge.as(zone.host).get('/pay')
    let reply = await look()
    for (let visit = 1; visit < visits && isOk(reply) && !isWatched(reply, html); visit++)
      reply = await look()
    if (!isOk(reply)) return
    if (isWatched(reply, html)) return verify(clause, { holds: true, saw: 'watched' }, reply)
    // Nobody else sees what browsers load; how soon a target may have looked itself is not said.
    await adapter.clock(dayMs)
    const listed = async () => {
      await on.visit()
      return on.listed('scripts')
    }
    const { all, replies } = await patiently(listed, ({ all }) => all.length > 0, looks)
    const saw = `nothing in head and body reports what a page loads; ${all.length} scripts listed`
    verify(clause, { holds: all.some(({ url }) => url === script), saw }, reply, ...replies)
  }
})
