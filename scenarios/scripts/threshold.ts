import { check } from 'plimsoll'
import { item } from '../_reply.ts'
import { seeds } from '../_seed.ts'

const clause = 'page-protection.script.malicious-threshold'

/** A script is malicious when its score is lower than this. */
const threshold = 50

export default check({
  title: 'A script’s score tells malicious from not: 49 is lower than 50, and 50 is not',
  clauses: [clause],
  needs: ['management', 'zone', 'detections'],
  async run({ management, adapter, random, verify }) {
    const zone = await adapter.zone('enterprise')
    const scores = [threshold - 1, threshold, threshold + 1]
    const scripts = seeds('scripts', 'active', { count: scores.length, random }).map(
      (seed, index) => ({ ...seed, js_integrity_score: scores[index]! })
    )
    await adapter.detections(zone.id, { scripts })
    for (const { id, js_integrity_score: score } of scripts) {
      const reply = await management.get(`/zones/${zone.id}/page_shield/scripts/${id}`)
      const shown: unknown = item(reply).js_integrity_score
      // A score of another type is no score; the field's own clause says so.
      if (typeof shown !== 'number') continue
      const holds = shown < threshold === score < threshold
      verify(clause, { holds, saw: `placed with ${score}, shown with ${shown}` }, reply)
    }
  }
})
