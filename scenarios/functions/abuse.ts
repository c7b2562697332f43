import { setTimeout as pause } from 'node:timers/promises'
import { check, isOk } from 'plimsoll'
import { settle } from './_account.ts'
import { count, crowd } from './_crowd.ts'
import { type Flooded, isForRate, openFlood } from './_flood.ts'

const trigger = 'abuse.1015-trigger'
const enterprise = 'abuse.not-enterprise'
const general = 'abuse.no-general-rps-limit'
const requests = 1_200
const attempts = 5
/** By how much more than what is abuse is sent, since not all of it arrives at once. */
const factor = 1.2
/** Share of a flood that is refused where it came fast enough beyond doubt. */
const clearly = 0.02
/** In this time a target forgets how often it was just asked. */
const restMs = 2_000

const namesCode = ({ refusals }: Flooded) => refusals.some(({ page }) => page.includes('1015'))

const shown = (flooded: Flooded) =>
  `${JSON.stringify(flooded.statuses)}, code ${namesCode(flooded) ? '1015' : 'none or another'}`

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
    await using flood = await openFlood(edge.url, much)
    const rush = ({ host }: { host: string }) => flood.send(host)
    for (let attempt = 0; attempt < attempts; attempt++) {
      const seen = await rush(pro)
      const reply = await large.client.get('/')
      // Whether that was too fast is for the target to say; it may also not have come fast enough.
      if (!seen.refusals.some(isForRate)) continue
      const holds = namesCode(seen) && seen.statuses[429] !== undefined
      verify(trigger, { holds, saw: `${much} requests at once: ${shown(seen)}` }, reply)
      break
    }
    // That nothing is refused shows nothing where it came too slowly, as on a busy machine: what is
    // refused to others right before and right after it shows how fast it was sent.
    const isFast = ({ statuses }: Flooded) => (statuses[429] ?? 0) >= clearly * much
    for (let attempt = 0; attempt < attempts; attempt++) {
      const floods: Flooded[] = []
      for (const zone of [pro, large, pro]) {
        await pause(restMs)
        floods.push(await rush(zone))
      }
      const [before, free, after] = floods as [Flooded, Flooded, Flooded]
      const isFree = !free.refusals.some(isForRate)
      const isServed = free.statuses[200]! >= much
      if (isFree && !(isServed && isFast(before) && isFast(after))) continue
      const others = `before it for Pro ${shown(before)}, after it ${shown(after)}`
      const saw = `${much} at once for Enterprise: ${shown(free)}; ${others}`
      verify(enterprise, { holds: isFree, saw }, await large.client.get('/'))
      return
    }
  }
})
