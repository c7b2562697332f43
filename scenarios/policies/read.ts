import { check } from 'plimsoll'
import { differences, draft, withPolicy } from '../_policy.ts'
import { isBesideThePoint, isServed, item, quoted } from '../_reply.ts'
import { largest } from '../_zone.ts'

export default check({
  title: 'A policy can be read, and is what its creation returned',
  clauses: ['policy.get', 'policy.create-get-equal'],
  needs: ['management'],
  async run({ management, zones, random, verify }) {
    const creation = { management, zone: largest(zones), policy: draft(random) }
    await withPolicy(creation, async ({ reply: created, path, id }) => {
      const reply = await management.get(path)
      if (isBesideThePoint(reply)) return
      const policy = item(reply)
      const saw = `${reply.because}, asked for ${id}: ${quoted(reply.json?.result)}`
      // Which policy it is shows in its id, and in the description that no other policy has.
      const isIt = policy.id === id || policy.description === creation.policy.description
      const isRead = isServed(reply) && isIt
      verify('policy.get', { holds: isRead, saw }, reply)
      if (!isRead) return
      const other = differences(policy, item(created))
      const equal = other.length > 0 ? `not as created: ${other.join(', ')}` : 'as created'
      verify('policy.create-get-equal', { holds: other.length === 0, saw: equal }, created, reply)
    })
  }
})
