import { check } from 'plimsoll'
import { settle } from './_account.ts'
import { ran } from './_beyond-day.ts'
import { functionPlans } from './_plan.ts'

const account = 'rate.free.account-level'
const lifts = 'rate.free.paid-lifts'
const most = 100_000

export default check({
  title: 'Whose day is used up is served as soon as the account is on a paid plan, whichever',
  clauses: [account, lifts],
  expectedReplies: [429, 503],
  needs: [
    ...['edge', 'account', 'accountPlan', 'deploy', 'zoneOf', 'route'],
    ...['preloadRequests', 'clock']
  ],
  // The day must not be another one in between.
  alone: ['clock'],
  async run(context) {
    const { adapter, verify } = context
    const other = await settle(context, 'free')
    await adapter.preloadRequests(other.account, most)
    for (const plan of functionPlans.filter((one) => one !== 'free')) {
      const own = await settle(context, 'free')
      const zone = await own.zone('pro')
      const ask = async () => [await own.shared.get('/'), await zone.client.get('/')] as const
      const first = await own.shared.get('/')
      if (!ran(first)) return
      await adapter.preloadRequests(own.account, most)
      const before = await ask()
      // Who refuses neither has no such limit, of which other clauses tell.
      if (before.every(ran)) return
      const isUsedUp = !before.some(ran)
      const ways = (replies: typeof before) => replies.map(({ because }) => because).join(' and ')
      const saw = `behind ${most} of a day, on the shared subdomain and in a zone: ${ways(before)}`
      verify(account, { holds: isUsedUp, saw }, first, ...before)
      if (!isUsedUp) continue
      await adapter.accountPlan(own.account, plan)
      const after = await ask()
      const fate = `${ways(before)}, then on plan ${plan}: ${ways(after)}`
      verify(lifts, { holds: after.every(ran), saw: fate }, ...before, ...after)
      const there = await other.shared.get('/')
      const words = `another account on plan free, once that one is on ${plan}: ${there.because}`
      verify(account, { holds: !ran(there), saw: words }, there)
    }
  }
})
