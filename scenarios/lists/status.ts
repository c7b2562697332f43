import { check } from 'plimsoll'
import { isBesideThePoint, isList } from '../_reply.ts'
import { seeds, shown } from '../_seed.ts'

const clause = 'page-protection.list.status-filter.scripts'

export default check({
  title: 'The parameter `status` leaves only the scripts of that status in the list',
  clauses: [clause],
  needs: ['management', 'zone', 'detections'],
  async run({ management, adapter, random, verify }) {
    const zone = await adapter.zone('enterprise')
    const scripts = [
      ...seeds('scripts', 'active', { count: 3, random }),
      ...seeds('scripts', 'infrequent', { count: 2, random })
    ]
    await adapter.detections(zone.id, { scripts })
    const path = `/zones/${zone.id}/page_shield/scripts`
    if (!isList(await management.get(path))) return
    for (const status of ['active', 'infrequent']) {
      const reply = await management.get(path, { query: { status } })
      if (isBesideThePoint(reply)) continue
      const listed = shown(reply, scripts)
      const expected = scripts.filter((seed) => seed.status === status)
      const holds =
        listed.every((seed) => seed?.status === status) &&
        expected.every((seed) => listed.includes(seed))
      const saw = `status=${status}: ${listed.map((seed) => seed?.status).join(', ') || 'nothing'}`
      verify(clause, { holds, saw }, reply)
    }
  }
})
