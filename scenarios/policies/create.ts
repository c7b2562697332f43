import { check } from 'plimsoll'
import { differences, draft, withPolicy } from '../_policy.ts'
import { isBesideThePoint, isServed, item, quoted } from '../_reply.ts'
import { largest } from '../_zone.ts'

export default check({
  title: 'Creating a policy returns what was sent, and an id of its own',
  clauses: ['policy.create', 'policy.create-echoes-fields'],
  needs: ['management'],
  async run({ management, zones, random, verify }) {
    const create = async (enabled: string) => {
      // A value may be what a field is called, or what another one says.
      const description = enabled === 'true' ? 'enabled' : draft(random).description
      const policy = { ...draft(random), description, enabled }
      const reply = await withPolicy({ management, zone: largest(zones), policy })
      if (!isServed(reply)) return reply
      const lost = differences(item(reply), policy)
      const saw = lost.length > 0 ? `not as sent: ${lost.join(', ')}` : 'all fields as sent'
      verify('policy.create-echoes-fields', { holds: lost.length === 0, saw }, reply)
      return reply
    }
    const replies = [await create('false'), await create('true')] as const
    if (replies.some(isBesideThePoint)) return
    const ids = replies.map((reply) => item(reply).id)
    const isCreated = replies.every(isServed) && ids.every((id) => id !== undefined)
    const saw = `${replies.map(({ because }) => because).join(', ')}, ids ${quoted(ids)}`
    verify('policy.create', { holds: isCreated && ids[0] !== ids[1], saw }, ...replies)
  }
})
