import { check, isOk, type Reply } from 'plimsoll'
import { settle } from './_account.ts'
import { openServer } from './_stage.ts'

const perDay = ['limits.runtime.requests.per-day.free', 'rate.free.daily-100000']
const midnight = 'rate.free.reset-midnight-utc'
const closed = 'error.1027-fail-closed'
const open = 'error.fail-open-bypass'
const status = 'unspecified.implied.1027-http-status'
const most = 100_000
/** So many are really sent, by every way there is to the account's functions. */
const left = 24
const dayMs = 86_400_000
const hourMs = 3_600_000

/** Whether a probe answered, and neither the origin nor an error page. */
const ran = (reply: Reply) => isOk(reply) && reply.json?.ok !== undefined

export default check({
  title: 'On the free plan 100,000 requests a day are served, from midnight to midnight UTC',
  clauses: [...perDay, midnight, closed, open, status],
  expectedReplies: [429],
  needs: [
    ...['edge', 'account', 'deploy', 'zoneOf', 'route', 'origin', 'reach'],
    ...['preloadRequests', 'clock']
  ],
  alone: ['clock'],
  async run(context) {
    const { adapter, verify, observe } = context
    await using server = await openServer(context)
    const behind = server.channel('origin')
    const account = await settle(context, 'free')
    const zones = {
      closed: await account.zone('pro', 'closed'),
      open: await account.zone('pro', 'open')
    }
    await adapter.origin(zones.open.id, new URL(behind.url()).origin)
    // A new day and minute, so that neither of them ends while this goes on.
    const now = await adapter.clock(0)
    await adapter.clock(dayMs - (now % dayMs) + hourMs)
    await adapter.preloadRequests(account.account, most - left)
    const within: Reply[] = []
    const ways = [
      () => zones.closed.client.get('/'),
      () => zones.open.client.post('/', { json: { do: 'count' } }),
      () => account.shared.get('/')
    ]
    for (let request = 0; request < left; request++)
      within.push(await ways[request % ways.length]!())
    const beyond = await zones.closed.client.get('/')
    const { pathname, search } = new URL(behind.url({ status: 203 }))
    const bypassed = await zones.open.client.get(pathname + search)
    const posted = await zones.open.client.post(pathname + search, { body: 'behind' })
    const served = within.filter(ran).length
    const saw = `${served} of the last ${left} of ${most} are served, the next: ${beyond.because}`
    const holds = served === left && !ran(beyond)
    for (const clause of perDay) verify(clause, { holds, saw }, within[0]!, beyond)
    if (!ran(beyond)) {
      const shown = beyond.body.includes('1027')
      const words = `${beyond.because}, the page ${shown ? 'names' : 'does not name'} 1027`
      verify(closed, { holds: shown, saw: words }, beyond)
      observe(status, beyond.because, beyond)
      const { requests, received } = behind.seen()
      const isOrigin = [bypassed, posted].every(({ status }) => status === 203) && requests === 2
      const fate = isOrigin ? `the origin answers, and got ${received} bytes` : bypassed.because
      verify(open, { holds: isOrigin && received === 6, saw: fate }, bypassed, posted)

      const evening = await adapter.clock(
        dayMs - hourMs - ((await adapter.clock(0)) % dayMs) - 60_000
      )
      const before = await zones.closed.client.get('/')
      await adapter.clock(dayMs - (evening % dayMs) + 1_000)
      const after = await zones.closed.client.get('/')
      const [late, early] = [before, after].map(({ because }) => because)
      const times = `an hour before midnight UTC: ${late}, right after it: ${early}`
      verify(midnight, { holds: !ran(before) && ran(after), saw: times }, before, after)
    }
  }
})
