import { check } from 'plimsoll'
import { isBesideThePoint, isList } from '../_reply.ts'
import { hosts, seeds, shown } from '../_seed.ts'

const clause = 'page-protection.list.hosts-filter.scripts'

export default check({
  title: 'The parameter `hosts` leaves only the scripts of that host in the list',
  clauses: [clause],
  needs: ['management', 'zone', 'detections'],
  async run({ management, adapter, random, verify }) {
    const zone = await adapter.zone('enterprise')
    const scripts = seeds('scripts', 'active', { count: 5, random })
    await adapter.detections(zone.id, { scripts })
    const path = `/zones/${zone.id}/page_shield/scripts`
    if (!isList(await management.get(path))) return
    for (const host of hosts) {
      const reply = await management.get(path, { query: { hosts: host } })
      if (isBesideThePoint(reply)) continue
      const listed = shown(reply, scripts)
      const expected = scripts.filter((seed) => seed.host === host)
      const holds =
        listed.every((seed) => seed?.host === host) &&
        expected.every((seed) => listed.includes(seed))
      const saw = `hosts=${host}: ${listed.map((seed) => seed?.host).join(', ') || 'nothing'}`
      verify(clause, { holds, saw }, reply)
    }
  }
})
