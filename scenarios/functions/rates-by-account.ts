import { check, isOk } from 'plimsoll'
import { settle } from './_account.ts'
import { count, crowd, isLimited } from './_crowd.ts'

const account = 'rate.free.account-level'
const shared = 'rate.free.shared-subdomain-counts'
const lifts = 'rate.free.paid-lifts'
const half = 500
const more = 50

export default check({
  title: 'The limits of the free plan are those of an account, and a paid plan lifts them',
  clauses: [account, shared, lifts],
  expectedReplies: [429],
  needs: ['edge', 'account', 'accountPlan', 'deploy', 'zoneOf', 'route'],
  alone: ['clock'],
  async run(context) {
    const { adapter, verify } = context
    const own = await settle(context, 'free')
    const zones = [await own.zone('pro'), await own.zone('enterprise')] as const
    const first = await crowd(zones[0].client, half)
    const second = await crowd(zones[1].client, half)
    const served = count([...first, ...second], isOk)
    const beyond = [
      ...(await crowd(zones[0].client, more)),
      ...(await crowd(zones[1].client, more))
    ]
    const refused = count(beyond, isLimited)
    const fate = `then ${refused} of ${2 * more} refused`
    const saw = `${served} of ${2 * half} in two zones are served, ${fate}`
    const last = beyond.at(-1)!
    const other = await settle(context, 'free')
    const unaffected = await other.shared.get('/')
    const isOther = isOk(unaffected)
    const told = `${saw}; in another account then ${unaffected.because}`
    const holds = served === 2 * half && refused > 0 && isOther
    verify(account, { holds, saw: told }, first[0]!, last, unaffected)
    if (refused > 0) {
      await adapter.accountPlan(own.account, 'bundled')
      const lifted = await crowd(zones[0].client, more)
      const free = count(lifted, isOk)
      const what = `on a paid plan ${free} of ${more} are served at once`
      verify(lifts, { holds: free === more, saw: what }, last, lifted.at(-1)!)
    }

    const zone = await other.zone('pro')
    const there = await crowd(other.shared, half - 1)
    const here = await crowd(zone.client, half)
    const both = [...(await crowd(other.shared, more)), ...(await crowd(zone.client, more))]
    const [good, bad] = [count([unaffected, ...there, ...here], isOk), count(both, isLimited)]
    const words =
      `${half} on the shared subdomain and ${half} in a zone: ${good} are served, ` +
      `then ${bad} of ${2 * more} refused`
    verify(shared, { holds: good === 2 * half && bad > 0, saw: words }, there[0]!, both.at(-1)!)
  }
})
