import { check } from 'plimsoll'
import { differences, draft, type Policy, withPolicy } from '../_policy.ts'
import { isBesideThePoint, isServed, item } from '../_reply.ts'
import { largest } from '../_zone.ts'

/** The policy with every field changed; that it is on harms nobody, since nobody has that host. */
function revised({ description }: Policy): Policy {
  return {
    description: `${description}, revised`,
    action: 'allow',
    expression: 'http.host eq "blog.example.test"',
    enabled: 'true',
    value: "script-src 'self'"
  }
}

export default check({
  title: 'A policy can be updated, and then is read with its new fields',
  clauses: ['policy.update', 'policy.update-visible'],
  needs: ['management'],
  async run({ management, zones, random, verify }) {
    const creation = { management, zone: largest(zones), policy: draft(random) }
    const wanted = revised(creation.policy)
    await withPolicy(creation, async ({ path }) => {
      const update = await management.put(path, { json: wanted })
      const reply = await management.get(path)
      if (isBesideThePoint(update) || isBesideThePoint(reply)) return
      const isUpdated = isServed(update) && isServed(reply)
      const saw = `update: ${update.because}, then get: ${reply.because}`
      verify('policy.update', { holds: isUpdated, saw }, update, reply)
      if (!isUpdated) return
      const stale = differences(item(reply), wanted)
      const shown = stale.length > 0 ? `not as sent: ${stale.join(', ')}` : 'all fields as sent'
      verify('policy.update-visible', { holds: stale.length === 0, saw: shown }, update, reply)
    })
  }
})
