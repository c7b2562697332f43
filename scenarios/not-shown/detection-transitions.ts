import { check } from 'plimsoll'
import { item, quoted } from '../_reply.ts'
import { seeds } from '../_seed.ts'

const clause = 'unspecified.detection.transitions'
const dayMs = 24 * 60 * 60 * 1_000

export default check({
  title: 'What becomes of a script’s status while nothing is detected',
  clauses: [clause],
  needs: ['management', 'zone', 'detections', 'clock'],
  // The clock is everybody's.
  alone: ['everything'],
  async run({ management, adapter, random, observe }) {
    const zone = await adapter.zone('enterprise')
    const scripts = [
      ...seeds('scripts', 'active', { count: 1, random }),
      ...seeds('scripts', 'infrequent', { count: 1, random })
    ]
    await adapter.detections(zone.id, { scripts })
    await adapter.clock(31 * dayMs)
    for (const { id, status } of scripts) {
      const reply = await management.get(`/zones/${zone.id}/page_shield/scripts/${id}`)
      const after = `${reply.because}, status ${quoted(item(reply).status)}`
      observe(clause, `${status}, and after 31 days: ${after}`, reply)
    }
  }
})
