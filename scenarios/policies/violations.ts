import { type Context, check, isOk, type Judge, type Reply } from 'plimsoll'
import { fateOf } from '../_csp.ts'
import { freshId } from '../_id.ts'
import { isServed } from '../_reply.ts'
import { browsers, patience, reporterOf } from '../detections/_browser.ts'
import { stage as logs, recordsIn } from '../log-push/_stage.ts'

const log = 'policy.semantics.log-reports-not-blocks'

/** So many scripts violate each policy. */
const count = 3

/** What the log of violations is known to have; a record is known by the address in it. */
const options = { field_names: ['Action', 'PolicyID', 'URL', 'URLHost'], sample_rate: 1 }

/** The header that names whom browsers report to, and what their reports say, by the action. */
const ways = {
  log: { header: 'content-security-policy-report-only', disposition: 'report' },
  allow: { header: 'content-security-policy', disposition: 'enforce' }
} as const
type Action = keyof typeof ways
const actions = Object.keys(ways) as Action[]

/** Has a zone with a policy of each action, of which every page is told where to report to. */
async function policed({ management, edge, adapter }: Context, zone: { id: string; host: string }) {
  await adapter.page(zone.id, '<!doctype html><title>Plimsoll</title><p>A page.</p>')
  const path = `/zones/${zone.id}/page_shield`
  await management.put(path, { json: { enabled: true } })
  const client = edge.as(zone.host)
  const bare = await client.get('/')
  const expression = `http.host eq "${zone.host}"`
  for (const action of actions) {
    const rest = { expression, enabled: 'true', value: `script-src ${action}.cdn.test` }
    const json = { description: 'Plimsoll', action, ...rest }
    if (!isServed(await management.post(`${path}/policies`, { json }))) return undefined
  }
  const fate = (reply: Reply) =>
    fateOf(reply, { page: `http://${zone.host}/`, script: 'http://outside.test/a.js' })
  const before = fate(bare).reports
  // How soon a policy is in force is not said.
  const page = await patience()(
    () => client.get('/'),
    (reply) => fate(reply).isBlocked && fate(reply).reports > before
  )
  if (!isOk(bare) || !isOk(page)) return undefined
  const reporters = actions.map((action) =>
    reporterOf(page, ways[action].header, `${action}.cdn.test`)
  )
  return { page, isTold: fate(page).reports > before, reporters }
}

/** Where violations of a policy that blocks are logged, those of one that only logs are, too. */
async function judgeLogged(context: Context & Judge) {
  await using on = await logs(context)
  const found = await policed(context, on.zone)
  if (found === undefined) return
  const { page, isTold, reporters } = found
  context.verify(log, { holds: isTold, saw: `browsers are told to report: ${isTold}` }, page)
  const job = { dataset: 'page_shield_events', output_options: options, filter: undefined }
  const { inbox, reply } = await on.create(job)
  if (!reporters.every(Boolean) || !isServed(reply)) return
  const browser = browsers(context, on.zone)
  const met = actions.map(() => Array.from({ length: count }, () => `${freshId(context.random)}`))
  for (const [nth, action] of actions.entries())
    for (const name of met[nth]!)
      await browser.report(reporters[nth]!, {
        ...{ page: '/', directive: 'script-src-elem', blocked: `https://${name}.test/a.js` },
        disposition: ways[action].disposition
      })
  await on.push()
  const records = recordsIn(inbox).map((record) => JSON.stringify(record))
  const [logged, blocked] = met.map(
    (names) => names.filter((name) => records.some((record) => record.includes(name))).length
  )
  // What is logged of violations, and where, is not said: it shows by what else is logged.
  if (blocked! < count) return
  const saw = `of ${count} violations each ${logged} are logged under log, ${blocked} under allow`
  context.verify(log, { holds: logged! > 0, saw }, reply, page)
}

export default check({
  title:
    'A script that a policy with log does not allow is a violation, as with one that blocks it',
  clauses: [log],
  needs: ['management', 'edge', 'zone', 'page', 'destination', 'pushLogs'],
  run: judgeLogged
})
