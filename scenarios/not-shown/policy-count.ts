import { check, type Reply } from 'plimsoll'
import { draft } from '../_policy.ts'
import { isServed } from '../_reply.ts'

/** No more policies than this are created to find out how many there may be. */
const most = 150

export default check({
  title: 'How many policies a zone may have',
  clauses: ['unspecified.implied.policy-count-limit'],
  needs: ['management', 'zone'],
  async run({ management, adapter, random, observe }) {
    const zone = await adapter.zone('enterprise')
    const create = () =>
      management.post(`/zones/${zone.id}/page_shield/policies`, { json: draft(random) })
    let reply: Reply = await create()
    let created = 0
    while (isServed(reply)) {
      created++
      if (created === most) break
      reply = await create()
    }
    const seen = created === most ? `at least ${most}` : `${created}, then ${reply.because}`
    observe('unspecified.implied.policy-count-limit', seen, reply)
  }
})
