import { check, isOk } from 'plimsoll'
import { settle } from './_account.ts'
import { count, crowd } from './_crowd.ts'
import { spendMinute } from './_minute.ts'

const account = 'rate.free.account-level'
const shared = 'rate.free.shared-subdomain-counts'
const lifts = 'rate.free.paid-lifts'
const few = 50

export default check({
  title: 'The limits of the free plan are those of an account, and a paid plan lifts them',
  clauses: [account, shared, lifts],
  expectedReplies: [429],
  needs: ['edge', 'account', 'accountPlan', 'deploy', 'zoneOf', 'route', 'clock'],
  alone: ['clock'],
  async run(context) {
    const { adapter, verify } = context
    const own = await settle(context, 'free')
    const zones = [await own.zone('pro'), await own.zone('enterprise')] as const
    const ways = zones.map(({ client }) => client)
    // Where they have one minute together with the shared subdomain, that shows both.
    const all = await spendMinute(context, [...ways, own.shared, own.shared])
    if (all === undefined) return
    const minute = all.holds ? all : await spendMinute(context, ways)
    if (minute === undefined) return
    const last = minute.replies.at(-1)!
    const other = await settle(context, 'free')
    const unaffected = await other.shared.get('/')
    const isOther = isOk(unaffected)
    const where = all.holds ? 'in two zones and on the shared subdomain' : 'in two zones'
    const saw = `${where} ${minute.saw}; in another account then ${unaffected.because}`
    verify(account, { holds: minute.holds && isOther, saw }, ...minute.replies, unaffected)
    if (minute.refused > 0) {
      await adapter.accountPlan(own.account, 'bundled')
      const lifted = await crowd(zones[0].client, few)
      const free = count(lifted, isOk)
      const what = `on a paid plan ${free} of ${few} are served at once`
      verify(lifts, { holds: free === few, saw: what }, last, lifted.at(-1)!)
    }
    if (all.holds) {
      const saw = `${where} ${all.saw}`
      return verify(shared, { holds: true, saw }, ...all.replies)
    }

    const zone = await other.zone('pro')
    const both = await spendMinute(context, [other.shared, zone.client])
    if (both === undefined) return
    const words = `on the shared subdomain and in a zone ${both.saw}`
    verify(shared, { holds: both.holds, saw: words }, ...both.replies)
  }
})
