import { check } from 'plimsoll'
import { item, quoted } from '../_reply.ts'
import { seeds } from '../_seed.ts'

const clause = 'page-protection.detection.states-shown'

export default check({
  title: 'What is detected often is active, and what is not is infrequent',
  clauses: [clause],
  needs: ['management', 'zone', 'detections'],
  async run({ management, adapter, random, verify }) {
    const zone = await adapter.zone('enterprise')
    const place = (kind: 'scripts' | 'connections') => [
      ...seeds(kind, 'active', { count: 1, random }),
      ...seeds(kind, 'infrequent', { count: 1, random })
    ]
    const placed = { scripts: place('scripts'), connections: place('connections') }
    await adapter.detections(zone.id, placed)
    for (const [kind, detections] of Object.entries(placed)) {
      for (const { id, status } of detections) {
        const reply = await management.get(`/zones/${zone.id}/page_shield/${kind}/${id}`)
        const seen: unknown = item(reply).status
        if (typeof seen !== 'string') continue
        const saw = `${kind}: placed as ${status}, shown as ${quoted(seen)}`
        verify(clause, { holds: seen === status, saw }, reply)
      }
    }
  }
})
