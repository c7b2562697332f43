import { type Client, type Context, check, isOk, type Judge, type Reply } from 'plimsoll'
import { settle } from './_account.ts'
import { isLimited, methods } from './_crowd.ts'
import { isAMinute, spendMinute } from './_minute.ts'
import { zonePlans } from './_plan.ts'

const perMinute = ['limits.runtime.requests.per-minute.free', 'rate.free.burst-1000-per-minute']
const page = 'error.1015-page'
const status = 'error.1015-http-429'
const event = 'error.1015-security-event'
/** So many may have been given back since. */
const mostBack = 200
/** So far into a minute of the clock none that began with it ends. */
const safeMs = 40_000

// With which status is the matter of another clause.
const isRefused = ({ status }: Reply) => status >= 400

/** Where an account whose minute is used up is asked once more; `id` where events can be read. */
type Place = { name: string; client: Client; id?: string }

/** Places of every kind that were not asked before. */
async function placesOf(account: Awaited<ReturnType<typeof settle>>): Promise<Place[]> {
  const { shared, sharedZone, zone } = account
  const zones = zonePlans.map(async (plan, at) => {
    // What becomes of a route beyond the day says nothing of a minute.
    const mode = at % 2 === 0 ? 'open' : 'closed'
    return { name: `${plan}, fail-${mode}`, ...(await zone(plan, mode)) }
  })
  const subdomain = { name: 'the shared subdomain', client: shared, id: sharedZone }
  return [subdomain, ...(await Promise.all(zones))]
}

/** Asks a place as a browser does, and by every method. */
async function askedAt(place: Place) {
  const page = await place.client.get('/page', { headers: { accept: 'text/html' } })
  const replies = new Map([['GET as a browser', page]])
  for (const method of methods) replies.set(method, await place.client.ask(method, '/'))
  return { ...place, replies }
}

type Asked = Awaited<ReturnType<typeof askedAt>>

/** Judges that no kind of place, and no method, has a minute of its own. */
function judgeEverywhere({ verify }: Judge, others: readonly Asked[]) {
  const all = others.flatMap(({ name, replies }) =>
    [...replies].map(([way, reply]) => ({ name, way, reply }))
  )
  for (const by of ['name', 'way'] as const)
    for (const [one, asked] of Map.groupBy(all, (each) => each[by])) {
      // Who gives back bit by bit may serve a few of them.
      const holds = asked.some(({ reply }) => isRefused(reply))
      const { reply } = asked.at(-1)!
      const saw = `${one}: beyond a minute of the account ${reply.because}`
      for (const clause of perMinute) verify(clause, { holds, saw }, reply)
    }
}

/** Judges how requests are refused at a place. */
async function judgeRefusals({ adapter, verify }: Context & Judge, { name, id, replies }: Asked) {
  const events = id === undefined ? undefined : await adapter.securityEvents(id)
  for (const [way, reply] of replies) {
    if (!isRefused(reply)) continue
    const asked = `${way}, ${name}`
    const [method, isBrowser] = [way.split(' ')[0], way.includes('browser')]
    // What answers HEAD has no page.
    const names = reply.body.includes('1015') ? 'names' : 'does not name'
    const shown = `${asked}: the page ${names} 1015`
    if (method !== 'HEAD') verify(page, { holds: names === 'names', saw: shown }, reply)
    const told = `${asked}: ${reply.because}`
    if (!isBrowser) verify(status, { holds: isLimited(reply), saw: told }, reply)
    if (events === undefined) continue
    const path = isBrowser ? '/page' : '/'
    const own = events.filter((one) => one.method === method && one.path === path)
    const rules = [...new Set(own.map(({ ruleId }) => ruleId))].join(', ') || 'none'
    const named = `${asked}: security events by the rules ${rules}`
    verify(event, { holds: rules === 'worker', saw: named }, reply)
  }
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
    // What was counted stays so, whatever is deployed or set up meanwhile.
    await account.redeploy()
    // Who gives back bit by bit has given some back.
    for (let left = mostBack; left > 0 && isOk(await zone.client.get('/')); left--);
    const others = await Promise.all((await placesOf(account)).map(askedAt))
    if ((await adapter.clock(0)) - minute.began > safeMs) return
    const length = await isAMinute(context, { way: zone.client, minute })
    if (length === undefined) return
    await adapter.clock(Math.max(0, length.over + 1_000 - (await adapter.clock(0))))
    const later = await zone.client.get('/')
    const within = length.holds ? 'no others within it' : 'thousands more within it'
    const saw = `${minute.saw}, ${within}; a minute later: ${later.because}`
    const holds = minute.holds && length.holds && isOk(later)
    for (const clause of perMinute) verify(clause, { holds, saw }, ...minute.replies, later)
    if (minute.holds) judgeEverywhere(context, others)
    for (const other of others) await judgeRefusals(context, other)
  }
})
