import { check, isOk } from 'plimsoll'
import { patience } from '../detections/_browser.ts'
import { settle } from './_account.ts'
import {
  askedAt,
  everywhere,
  judgeEverywhere,
  judgeRefusals,
  placesOf,
  refusals
} from './_beyond-minute.ts'
import { isAMinute, spendMinute } from './_minute.ts'

const perMinute = ['limits.runtime.requests.per-minute.free', 'rate.free.burst-1000-per-minute']
/** So many may have been given back since. */
const mostBack = 200
/** So far into a minute of the clock none that began with it ends. */
const safeMs = 40_000

export default check({
  title: 'On the free plan 1,000 requests a minute are served, and more are refused with 1015',
  clauses: [...perMinute, ...everywhere, ...Object.values(refusals)],
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
    if (minute.holds) judgeEverywhere(context, { others, clauses: perMinute })
    const once = patience()
    for (const other of others) await judgeRefusals(context, other, once)
  }
})
