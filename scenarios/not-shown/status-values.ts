import { check, type Reply } from 'plimsoll'
import { byOutcome } from '../_outcomes.ts'
import { items } from '../_reply.ts'
import { largest } from '../_zone.ts'

export default check({
  title: 'Which status values scripts have besides those shown',
  clauses: ['unspecified.script.status-values'],
  needs: ['management'],
  async run({ management, zones, observe }) {
    const path = `/zones/${largest(zones)}/page_shield/scripts`
    const ask = (status?: string) => management.get(path, { query: { status } })
    const values = (reply: Reply) =>
      [...new Set(items(reply).map((item) => `${item.status}`))].sort().join(', ') || 'no scripts'
    const asked = ['active', 'infrequent', 'inactive', 'no-such-status']
    const replies = [await ask(), ...(await Promise.all(asked.map(ask)))] as const
    const outcomes = replies.map((reply, index) => {
      const query = index === 0 ? 'no filter' : `status=${asked[index - 1]}`
      return { asked: query, came: `${reply.because}, ${values(reply)}` }
    })
    observe('unspecified.script.status-values', byOutcome(outcomes), ...replies)
  }
})
