import { check } from 'plimsoll'
import type { Kind } from '../_detections.ts'
import { isList } from '../_reply.ts'
import { seeds, shown } from '../_seed.ts'

const clause = (kind: string) => `page-protection.list.default-status-active.${kind}`
const kinds: Kind[] = ['scripts', 'connections', 'cookies']

export default check({
  title: 'Without a status filter a list shows only what is active',
  clauses: kinds.map(clause),
  needs: ['management', 'zone', 'detections'],
  async run({ management, adapter, random, verify }) {
    const zone = await adapter.zone('enterprise')
    for (const kind of kinds) {
      const placed = [
        ...seeds(kind, 'infrequent', { count: 2, random }),
        ...seeds(kind, 'active', { count: 3, random })
      ]
      await adapter.detections(zone.id, { [kind]: placed })
      const reply = await management.get(`/zones/${zone.id}/page_shield/${kind}`)
      if (!isList(reply)) continue
      const listed = shown(reply, placed)
      const holds = listed.length > 0 && listed.every((seed) => seed?.status === 'active')
      const saw = `${kind}: ${listed.map((seed) => seed?.status).join(', ') || 'nothing'}`
      verify(clause(kind), { holds, saw }, reply)
    }
  }
})
