import { check, isOk } from 'plimsoll'
import { settle } from './_account.ts'
import { count, crowd } from './_crowd.ts'
import { flood } from './_flood.ts'

const trigger = 'abuse.1015-trigger'
const enterprise = 'abuse.not-enterprise'
const general = 'abuse.no-general-rps-limit'
const requests = 1_200
const attempts = 5
/** By how much more than what is abuse is sent, since not all of it arrives at once. */
const factor = 1.5

export default check({
  title: 'Many thousands of requests a second from one address are refused, but for Enterprise',
  clauses: [trigger, enterprise, general],
  tier: 'full',
  expectedReplies: [429],
  needs: ['edge', 'account', 'deploy', 'zoneOf', 'route', 'abuseRate'],
  alone: ['everything'],
  async run(context) {
    const { adapter, edge, verify } = context
    const account = await settle(context, 'standard')
    const [pro, large] = [await account.zone('pro'), await account.zone('enterprise')]
    const usual = await crowd(pro.client, requests)
    const served = count(usual, isOk)
    const words = `${served} of ${requests} requests, each after another, are served`
    verify(general, { holds: served === requests, saw: words }, usual.at(-1)!)

    const much = Math.ceil(factor * (await adapter.abuseRate()))
    for (let attempt = 0; attempt < attempts; attempt++) {
      const seen = await flood(edge.url, { host: pro.host, requests: much })
      const reply = await large.client.get('/')
      // Whether that was too fast is for the target to say; it may also not have come fast enough.
      if (!seen.statuses[429] && seen.statuses[200]! >= much) continue
      const saw = `${JSON.stringify(seen.statuses)}, codes ${seen.codes.join(', ') || 'none'}`
      const holds = seen.codes.includes('1015') && seen.statuses[429] !== undefined
      verify(trigger, { holds, saw: `${much} requests at once: ${saw}` }, reply)
      const free = await flood(edge.url, { host: large.host, requests: much })
      const fates = JSON.stringify(free.statuses)
      const isFree = free.statuses[200]! >= much
      verify(enterprise, { holds: isFree, saw: `${much} at once for Enterprise: ${fates}` }, reply)
      return
    }
  }
})
