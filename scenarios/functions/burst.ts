import { type Client, check, isOk, type Reply } from 'plimsoll'
import { settle } from './_account.ts'
import { isLimited } from './_crowd.ts'
import { isAMinute, spendMinute } from './_minute.ts'
import { zonePlans } from './_plan.ts'

const perMinute = ['limits.runtime.requests.per-minute.free', 'rate.free.burst-1000-per-minute']
const page = 'error.1015-page'
const status = 'error.1015-http-429'
const event = 'error.1015-security-event'
/** Requests to each further zone of the account, of which one that is refused is enough. */
const tries = 20

// With which status is the matter of another clause.
const isRefused = ({ status }: Reply) => status >= 400

/** Asks a zone as a browser and as a program do, until it refuses; undefined where it does not. */
async function refusals({ client }: { client: Client }) {
  for (let request = 0; request < tries; request++) {
    const page = await client.get('/', { headers: { accept: 'text/html' } })
    const reply = await client.get('/')
    if (isRefused(page) && isRefused(reply)) return [page, reply] as const
  }
  return undefined
}

export default check({
  title: 'On the free plan 1,000 requests a minute are served, and more are refused with 1015',
  clauses: [...perMinute, page, status, event],
  expectedReplies: [429],
  needs: ['edge', 'account', 'deploy', 'zoneOf', 'route', 'securityEvents', 'clock'],
  alone: ['clock'],
  async run(context) {
    const { adapter, verify } = context
    const account = await settle(context, 'free')
    const zone = await account.zone('pro')
    const minute = await spendMinute(context, [zone.client])
    if (minute === undefined) return
    const others = await Promise.all(
      zonePlans.map(async (plan) => {
        const other = await account.zone(plan)
        return { plan, ...other, refused: await refusals(other) }
      })
    )
    const length = await isAMinute(context, { way: zone.client, minute })
    if (length === undefined) return
    await adapter.clock(Math.max(0, length.over + 1_000 - (await adapter.clock(0))))
    const later = await zone.client.get('/')
    const within = length.holds ? 'no others within it' : 'thousands more within it'
    const saw = `${minute.saw}, ${within}; a minute later: ${later.because}`
    const holds = minute.holds && length.holds && isOk(later)
    for (const clause of perMinute) verify(clause, { holds, saw }, ...minute.replies, later)
    for (const { plan, id, refused: both } of others) {
      if (!both) continue
      const [html, plain] = both
      for (const reply of both) {
        const names = reply.body.includes('1015') ? 'names' : 'does not name'
        const saw = `${plan}: the page ${names} 1015`
        verify(page, { holds: names === 'names', saw }, reply)
      }
      verify(status, { holds: isLimited(plain), saw: `${plan}: ${plain.because}` }, plain)
      const events = await adapter.securityEvents(id)
      const rules = new Set(events.map(({ ruleId }) => ruleId))
      const named = `${plan}: security events by the rules ${[...rules].join(', ') || 'none'}`
      verify(event, { holds: rules.has('worker'), saw: named }, plain, html)
    }
  }
})
