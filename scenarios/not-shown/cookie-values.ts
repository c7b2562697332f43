import { check } from 'plimsoll'
import { byOutcome } from '../_outcomes.ts'
import { items } from '../_reply.ts'

/** The fields whose sets of values are not shown, by clause. */
const fields = {
  'unspecified.cookie.type-values': 'type',
  'unspecified.cookie.same-site-values': 'same_site_attribute'
}

export default check({
  title: 'Which types and same-site values cookies have besides those shown',
  clauses: Object.keys(fields),
  needs: ['management'],
  async run({ management, zones, observe }) {
    const named = Object.entries(zones)
    const replies = await Promise.all(
      named.map(([, zone]) => management.get(`/zones/${zone}/page_shield/cookies`))
    )
    const [first, ...others] = replies
    if (!first) return
    for (const [clause, field] of Object.entries(fields)) {
      const outcomes = replies.map((reply, index) => {
        const values = [...new Set(items(reply).map((item) => `${item[field]}`))].sort()
        return { asked: named[index]![0], came: values.join(', ') || 'no cookies' }
      })
      observe(clause, byOutcome(outcomes), first, ...others)
    }
  }
})
