import { check } from 'plimsoll'
import { sightings } from '../_detections.ts'
import { isItem, quoted } from '../_reply.ts'
import { largest } from '../_zone.ts'

const clause = 'page-protection.script.fields-may-be-absent-by-plan'

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

export default check({
  title:
    'A plan may leave fields of a script out, but what it shows is what the largest plan shows',
  clauses: [clause],
  needs: ['management'],
  async run({ management, zones, verify }) {
    const best = largest(zones)
    const kinds = new Map<string, Set<string>>()
    for (const { value } of await sightings(management, best, 'scripts')) {
      for (const [field, shown] of Object.entries(isItem(value) ? value : {})) {
        kinds.set(field, (kinds.get(field) ?? new Set()).add(kindOf(shown)))
      }
    }
    for (const [plan, zone] of Object.entries(zones)) {
      if (zone === best || kinds.size === 0) continue
      for (const { value, reply } of await sightings(management, zone, 'scripts')) {
        if (!isItem(value)) continue
        const odd = Object.entries(value).find(
          ([field, shown]) => kinds.has(field) && !kinds.get(field)!.has(kindOf(shown))
        )
        const saw = odd ? `${odd[0]} is ${quoted(odd[1])}` : 'fields as on the largest plan'
        verify(clause, { holds: odd === undefined, saw: `${plan}: ${saw}` }, reply)
      }
    }
  }
})
