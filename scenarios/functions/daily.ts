import { type Context, check, type Judge, type Reply } from 'plimsoll'
import { settle } from './_account.ts'
import { judgeModes, modes, ran, type Zones, zonesOf } from './_beyond-day.ts'
import { openServer } from './_stage.ts'

const perDay = ['limits.runtime.requests.per-day.free', 'rate.free.daily-100000']
const midnight = 'rate.free.reset-midnight-utc'
const status = 'unspecified.implied.1027-http-status'
const most = 100_000
/** So many are really sent, by every way there is to the account's functions, and the day after. */
const [left, leftAgain] = [25, 6]
const dayMs = 86_400_000
const hourMs = 3_600_000
/** So long before midnight the day of whoever has another one is over, if only by a minute. */
const eveningMs = 30_000

type Ways = readonly (() => Promise<Reply>)[]

/** What comes of so many requests, by each way in turn. */
async function each(ways: Ways, requests = ways.length): Promise<[Reply, ...Reply[]]> {
  const replies: Reply[] = []
  for (let at = 0; at < requests; at++) replies.push(await ways[at % ways.length]!())
  return replies as [Reply, ...Reply[]]
}

/** Judges what is served of an account right before midnight, right after it, and a day later. */
async function judgeMidnight({ adapter, verify }: Context & Judge, account: string, ways: Ways) {
  const past = async () => (await adapter.clock(0)) % dayMs
  await adapter.clock(dayMs - eveningMs - (await past()))
  const before = await each(ways)
  // Where that took so long nothing is known of the day that they are of.
  if ((await past()) < dayMs - eveningMs) return
  await adapter.clock(dayMs - (await past()) + 1_000)
  const after = await each(ways)
  const told = (replies: [Reply, ...Reply[]], isDue: boolean) =>
    (replies.find((reply) => ran(reply) !== isDue) ?? replies[0]).because
  const evening = `deployed anew, ${eveningMs / 1_000} s before midnight UTC`
  const saw = `${evening}: ${told(before, false)}, right after it: ${told(after, true)}`
  const isNew = after.every(ran)
  verify(midnight, { holds: isNew && !before.some(ran), saw }, ...before, ...after)
  if (!isNew) return
  // Nothing of the day before is left, and the next one is as long.
  await adapter.preloadRequests(account, most - after.length - leftAgain)
  const within = await each(ways, leftAgain)
  const beyond = await ways[0]!()
  const served = within.filter(ran).length
  const last = `${served} of the last ${leftAgain} of ${most} of the next day are served`
  verify(midnight, { holds: served === leftAgain, saw: last }, ...within)
  const next = `the next of the next day: ${beyond.because}`
  for (const clause of perDay) verify(clause, { holds: !ran(beyond), saw: next }, beyond)
}

export default check({
  title: 'On the free plan 100,000 requests a day are served, from midnight to midnight UTC',
  clauses: [...perDay, midnight, ...Object.values(modes), status],
  // With which status error 1027 comes is not said; it may be one that outages have.
  expectedReplies: [429, 503],
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
    const zones = await zonesOf(context, account)
    const [opened, shut] = ['open', 'closed'].map((mode) =>
      zones.filter((zone) => zone.mode === mode)
    ) as [Zones, Zones]
    const { client } = shut[0]!
    for (const { id } of opened) await adapter.origin(id, new URL(behind.url()).origin)
    // A new day and minute, so that neither of them ends while this goes on.
    const now = await adapter.clock(0)
    await adapter.clock(dayMs - (now % dayMs) + hourMs)
    await adapter.preloadRequests(account.account, most - left)
    const ways = [
      ...shut.map((zone) => () => zone.client.get('/')),
      ...opened.map((zone) => () => zone.client.post('/', { json: { do: 'count' } })),
      () => account.shared.get('/')
    ]
    const within = await each(ways, left)
    const beyond = await client.get('/')
    const served = within.filter(ran).length
    const saw = `${served} of the last ${left} of ${most} are served, the next: ${beyond.because}`
    const holds = served === left && !ran(beyond)
    for (const clause of perDay) verify(clause, { holds, saw }, within[0], beyond)
    if (ran(beyond)) return
    observe(status, beyond.because, beyond)
    await judgeModes(context, { shut, opened, behind })

    await account.redeploy()
    await judgeMidnight(context, account.account, ways)
  }
})
