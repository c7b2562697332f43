import { check } from 'plimsoll'
import type { SecurityEvent } from '../_security-event.ts'
import { createTally } from '../_tally.ts'
import { patiently } from '../detections/_browser.ts'
import { settle } from './_account.ts'
import { refusals } from './_beyond-minute.ts'
import { isForRate, openFlood, type Refusal, type Way } from './_flood.ts'

const attempts = 5
/** By how much more than what is abuse is sent, since not all of it arrives at once. */
const factor = 1.2
/** Zones on whichever of these are protected. */
const plans = ['free', 'pro', 'business']
const ways: readonly Way[] = [
  { method: 'GET', isBrowser: true },
  ...['GET', 'POST', 'DELETE'].map((method) => ({ method, isBrowser: false }))
]

export default check({
  title: 'What abuse protection refuses has code 1015, status 429 and an event of the rule worker',
  clauses: Object.values(refusals),
  tier: 'full',
  expectedReplies: [429],
  needs: ['edge', 'account', 'deploy', 'zoneOf', 'route', 'abuseRate', 'securityEvents'],
  alone: ['everything'],
  async run(context) {
    const { adapter, edge, random } = context
    const account = await settle(context, 'standard')
    const zone = await account.zone(plans[Math.floor(random() * plans.length)]!)
    await using flood = await openFlood(edge.url, Math.ceil(factor * (await adapter.abuseRate())))
    let refused: Refusal[] = []
    for (let attempt = 0; attempt < attempts && refused.length === 0; attempt++)
      // Whether that was too fast is for the target to say.
      refused = (await flood.send(zone.host, ways)).refusals.filter(isForRate)
    if (refused.length === 0) return
    const reply = await zone.client.get('/')
    const methods = new Set(refused.map(({ method }) => method))
    const isTold = (all: readonly SecurityEvent[]) =>
      [...methods].every((method) => all.some((one) => one.method === method))
    const events = await patiently(() => adapter.securityEvents(zone.id), isTold)
    const tally = createTally()
    for (const { method, isBrowser, status, page } of refused) {
      const asked = isBrowser ? `${method} as a browser` : method
      const [is429, told] = [status === '429', { asked, reply }]
      const holds = page.includes('1015')
      tally.add(refusals.page, { ...told, holds, saw: holds ? 'code 1015' : 'no such code' })
      if (!isBrowser) tally.add(refusals.status, { ...told, holds: is429, saw: status })
    }
    for (const method of methods) {
      const rules = new Set(events.filter((one) => one.method === method).map((one) => one.ruleId))
      const saw = `events by the rules ${[...rules].join(', ') || 'none'}`
      const holds = rules.size === 1 && rules.has('worker')
      tally.add(refusals.event, { asked: method, holds, saw, reply })
    }
    tally.tell(context)
  }
})
