import { check } from 'plimsoll'
import { sightings } from '../_detections.ts'
import { isItem, quoted } from '../_reply.ts'
import { largest } from '../_zone.ts'

const clause = 'page-protection.script.classification-not-a-field'

/** Fields that speak of malice and yet are no classification. */
const reported = [
  'domain_reported_malicious',
  'url_reported_malicious',
  'malicious_domain_categories',
  'malicious_url_categories'
]

/** Whether a field is the classification, by its name or by what stands in it. */
function classifies(field: string, value: unknown): boolean {
  if (reported.includes(field)) return false
  return /malicious|classif|verdict/i.test(field) || /^(not.?)?malicious$/i.test(`${value}`)
}

export default check({
  title: 'Whether a script is malicious is not a field of it',
  clauses: [clause],
  needs: ['management'],
  async run({ management, zones, verify }) {
    for (const { value, reply } of await sightings(management, largest(zones), 'scripts')) {
      if (!isItem(value)) continue
      const found = Object.entries(value).find(([field, shown]) => classifies(field, shown))
      const saw = found ? `${found[0]}: ${quoted(found[1])}` : 'no such field'
      verify(clause, { holds: found === undefined, saw }, reply)
    }
  }
})
