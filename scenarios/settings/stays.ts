import { type Context, check } from 'plimsoll'
import { draft, withPolicy } from '../_policy.ts'
import { isServed, item } from '../_reply.ts'
import { createTally } from '../_tally.ts'
import type { Zone } from '../_zone.ts'

/** What moves the flag by an update, by where it is. */
const away = {
  true: 'page-protection.enabled.true-to-false',
  false: 'page-protection.enabled.false-to-true'
}

type Deed = (context: Context, zone: Zone) => Promise<unknown>

/** A smaller plan may not have the feature, which is not said; a larger one takes nothing away. */
const moved = ['pro', 'business', 'enterprise'].map((plan): [string, Deed] => [
  `the zone was moved to ${plan}`,
  ({ adapter }, { id }) => adapter.zonePlan(id, plan)
])

/** What else is done in a zone; what comes of that is the matter of others. */
const deeds: [done: string, Deed][] = [
  ['its pages were visited', ({ edge }, { host }) => edge.as(host).get('/')],
  [
    'a policy was created, updated and deleted',
    async ({ management, random }, { id: zone }) => {
      const policy = { ...draft(random), enabled: 'true' }
      await withPolicy({ management, zone, policy }, async ({ path }) => {
        await management.put(path, { json: { ...policy, enabled: 'false' } })
      })
    }
  ],
  ...['scripts', 'connections', 'cookies', 'policies'].map((list): [string, Deed] => [
    `its ${list} were listed`,
    ({ management }, { id }) => management.get(`/zones/${id}/page_shield/${list}`)
  ]),
  ...['check', 'config', 'status'].map((read): [string, Deed] => [
    `its WAF migration was read (${read})`,
    ({ management }, { id }) =>
      management.get(`/zones/${id}/waf_migration/${read}`, { query: { phase_two: 1 } })
  ]),
  ...moved
]

export default check({
  title: 'The flag is moved by an update and by nothing else that is done in its zone',
  clauses: Object.values(away),
  tier: 'full',
  needs: ['management', 'edge', 'zone', 'zonePlan'],
  async run(context) {
    const { management, adapter } = context
    const tally = createTally()
    for (const enabled of [true, false]) {
      const zone = await adapter.zone('free')
      const path = `/zones/${zone.id}/page_shield`
      const read = () => management.get(path)
      const turned = await management.put(path, { json: { enabled } })
      // A flag that an update does not move is the matter of others.
      if (!isServed(turned) || item(await read()).enabled !== enabled) continue
      for (const [asked, take] of deeds) {
        await take(context, zone)
        const reply = await read()
        const { enabled: is } = item(reply)
        if (!isServed(reply) || typeof is !== 'boolean') continue
        const saw = `${enabled}, and then ${is}`
        tally.add(away[`${enabled}`], { asked, holds: is === enabled, saw, reply })
        if (is !== enabled) break
      }
    }
    tally.tell(context)
  }
})
