import { check } from 'plimsoll'
import { draft, withPolicy } from '../_policy.ts'
import { isBesideThePoint, isServed, items, quoted } from '../_reply.ts'
import { largest } from '../_zone.ts'

export default check({
  title: 'Policies can be listed, and the list has what was created until it is deleted',
  clauses: ['policy.list', 'policy.list-contains-created'],
  needs: ['management'],
  async run({ management, zones, random, verify }) {
    const zone = largest(zones)
    let id: unknown
    const list = async (state: 'created' | 'deleted') => {
      const reply = await management.get(`/zones/${zone}/page_shield/policies`)
      if (isBesideThePoint(reply)) return
      const result: unknown = reply.json?.result
      const isListed = Array.isArray(result) && items(reply).length === result.length
      const saw = `${reply.because}, result ${quoted(result)}`
      verify('policy.list', { holds: isServed(reply) && isListed, saw }, reply)
      if (!isListed) return
      const isThere = items(reply).some((one) => one.id === id)
      verify(
        'policy.list-contains-created',
        { holds: isThere === (state === 'created'), saw: `${state}, listed: ${isThere}` },
        reply
      )
    }
    await withPolicy({ management, zone, policy: draft(random) }, async (created) => {
      id = created.id
      await list('created')
    })
    if (id !== undefined) await list('deleted')
  }
})
