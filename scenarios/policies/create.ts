import { type Context, check, type Judge } from 'plimsoll'
import { freshId } from '../_id.ts'
import { differences, draft, withPolicy } from '../_policy.ts'
import { type Item, isBesideThePoint, isServed, item, quoted } from '../_reply.ts'
import { largest } from '../_zone.ts'

/** The fields of a policy that are not as it was sent, but as another one was. */
function takenOver(read: Item, own: Item, other: Item): string[] {
  const differing = differences(read, other)
  return differences(read, own).filter((field) => !differing.includes(field))
}

/** Sends ids along that only the service gives: that of a policy there is, and one of nobody. */
async function judgeIds({ management, zones, random, verify }: Context & Judge) {
  const zone = largest(zones)
  const first = draft(random)
  await withPolicy({ management, zone, policy: first }, async ({ id, path }) => {
    for (const sent of [id, freshId(random)]) {
      const second = { ...draft(random), id: sent }
      await withPolicy({ management, zone, policy: second }, async ({ reply, ...other }) => {
        // Nor is one policy by an update made another, be it refused or not.
        await management.put(path, { json: { ...first, id: other.id } })
        const reads = [await management.get(path), await management.get(other.path)]
        if (reads.some(isBesideThePoint)) return
        const [one, two] = reads.map(item) as [Item, Item]
        const areTwo = one.id === id && two.id === other.id && other.id !== sent
        // What is neither as it was sent nor of the other one is the matter of other clauses.
        const mixed = [...takenOver(one, first, second), ...takenOver(two, second, first)]
        const given = `${quoted(sent)} sent along, given ${quoted(other.id)}`
        const saw = [given, ...mixed.map((field) => `${field} of the other one`)].join(', ')
        verify('policy.field.id', { holds: areTwo && mixed.length === 0, saw }, reply, ...reads)
      })
    }
  })
}

export default check({
  title: 'Creating a policy returns what was sent, and an id of its own',
  clauses: ['policy.create', 'policy.create-echoes-fields', 'policy.field.id'],
  needs: ['management'],
  async run(context) {
    const { management, zones, random, verify } = context
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
    if (!isCreated) return
    // Who refuses a body with an id has given one to each without.
    verify('policy.field.id', { holds: ids[0] !== ids[1], saw }, ...replies)
    await judgeIds(context)
  }
})
