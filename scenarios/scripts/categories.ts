import { check } from 'plimsoll'
import { sightings } from '../_detections.ts'
import { isItem, quoted } from '../_reply.ts'
import { largest } from '../_zone.ts'

const clause = 'page-protection.script.categories-separate'

/** What a script is reported for, each with the property that its categories are in. */
const tied = {
  domain_reported_malicious: 'malicious_domain_categories',
  url_reported_malicious: 'malicious_url_categories'
}

export default check({
  title: 'Categories of a domain and of a URL are two properties, each tied to its own report',
  clauses: [clause],
  needs: ['management'],
  async run({ management, zones, verify }) {
    for (const { value, reply } of await sightings(management, largest(zones), 'scripts')) {
      if (!isItem(value)) continue
      if (!Object.keys(tied).every((report) => typeof value[report] === 'boolean')) continue
      const reports = Object.keys(tied).filter((report) => value[report] === true)
      if (reports.length !== 1) continue
      for (const [report, property] of Object.entries(tied)) {
        if (reports.includes(report)) continue
        const categories: unknown = value[property]
        const holds = !Array.isArray(categories) || categories.length === 0
        const saw = `${reports[0]} alone, ${property} ${quoted(categories)}`
        verify(clause, { holds, saw }, reply)
      }
    }
  }
})
