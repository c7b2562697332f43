import { check, type Reply } from 'plimsoll'
import { byOutcome } from '../_outcomes.ts'
import { isItem, items } from '../_reply.ts'
import { largest } from '../_zone.ts'

type Query = { page?: string | number; per_page?: string | number }

const odd = [0, -1, 1.5, 'ten', '']

/** What to ask for, by the clause that asks what comes of it. */
const queries: { [clause: string]: Query[] } = {
  'unspecified.implied.page-beyond-end': [{ page: 1_000_000 }],
  'unspecified.implied.per-page-default': [{}],
  'unspecified.implied.per-page-invalid': [
    ...odd.map((page) => ({ page })),
    ...odd.map((per_page) => ({ per_page }))
  ],
  'unspecified.limits.per-page-max': [50, 100, 101, 200, 1_000, 10_000].map((per_page) => ({
    per_page
  }))
}

function outcome(query: Query, reply: Reply) {
  const info: unknown = reply.json?.result_info
  const page = isItem(info) ? `, page ${info.page}, per_page ${info.per_page}` : ''
  const asked = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  const came = `${reply.because}, ${items(reply).length} items${page}`
  return { asked: asked.join('&') || 'no query', came }
}

export default check({
  title: 'What lists make of pages and page sizes the document says nothing of',
  clauses: Object.keys(queries),
  needs: ['management'],
  async run({ management, zones, observe }) {
    const path = `/zones/${largest(zones)}/page_shield/scripts`
    for (const [clause, asked] of Object.entries(queries)) {
      const replies: Reply[] = []
      for (const query of asked) replies.push(await management.get(path, { query }))
      const outcomes = asked.map((query, index) => outcome(query, replies[index]!))
      observe(clause, byOutcome(outcomes), ...(replies as [Reply, ...Reply[]]))
    }
  }
})
