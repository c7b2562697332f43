import { check, isOk, type Reply } from 'plimsoll'
import { settle } from './_account.ts'
import { count, crowd, isLimited } from './_crowd.ts'

const perMinute = ['limits.runtime.requests.per-minute.free', 'rate.free.burst-1000-per-minute']
const page = 'error.1015-page'
const status = 'error.1015-http-429'
const event = 'error.1015-security-event'
const most = 1_000
/** Where a minute begins is not told, so that only clearly more than the limit must be refused. */
const more = 100
const minuteMs = 60_000

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
    // Where minutes are those of the clock, the next one has just begun.
    await adapter.clock(minuteMs - ((await adapter.clock(0)) % minuteMs))
    const began = performance.now()
    const within = await crowd(zone.client, most)
    const beyond = await crowd(zone.client, more)
    if (performance.now() - began > minuteMs / 2) return
    await adapter.clock(minuteMs + 1_000)
    const later = await zone.client.get('/')
    // With which status is the matter of another clause.
    const isRefused = ({ status }: Reply) => status >= 400
    const [served, refused] = [count(within, isOk), count(beyond, isRefused)]
    const saw =
      `${served} of ${most} are served, ${refused} of ${more} more are refused; ` +
      `a minute later: ${later.because}`
    const holds = served === most && refused > 0 && isOk(later)
    const evidence = [...within.filter((reply) => !isOk(reply)).slice(0, 3), beyond.at(-1)!, later]
    for (const clause of perMinute) {
      verify(clause, { holds, saw }, ...(evidence as [Reply, ...Reply[]]))
    }
    const refusal = beyond.find((reply) => !isOk(reply))
    if (!refusal) return
    const html = await zone.client.get('/', { headers: { accept: 'text/html' } })
    const shown = refusal.body.includes('1015')
    verify(
      page,
      { holds: shown, saw: `the page ${shown ? 'names' : 'does not name'} 1015` },
      refusal
    )
    verify(status, isLimited(refusal), refusal)
    const events = await adapter.securityEvents(zone.id)
    const rules = new Set(events.map(({ ruleId }) => ruleId))
    const named = `security events by the rules: ${[...rules].join(', ') || 'none'}`
    verify(event, { holds: rules.has('worker'), saw: named }, refusal, html)
  }
})
