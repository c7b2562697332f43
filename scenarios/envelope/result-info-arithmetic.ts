import { check } from 'plimsoll'
import { isItem, isList, items, quoted } from '../_reply.ts'
import { largest } from '../_zone.ts'

const clause = 'envelope.result-info.consistent'
const fields = ['per_page', 'count', 'total_count', 'total_pages']

export default check({
  title: 'What `result_info` says adds up: the items on the page, and the pages there are',
  clauses: [clause],
  needs: ['management'],
  async run({ management, zones, verify }) {
    for (const kind of ['scripts', 'connections', 'cookies']) {
      for (const page of [1, 2]) {
        const path = `/zones/${largest(zones)}/page_shield/${kind}`
        const reply = await management.get(path, { query: { page, per_page: 5 } })
        const info: unknown = reply.json?.result_info
        if (!isList(reply) || !isItem(info)) continue
        // Numbers that are none do not add up to anything; their own clauses say so.
        if (!fields.every((field) => Number.isInteger(info[field]))) continue
        const holds =
          info.count === items(reply).length &&
          info.total_pages === Math.ceil(info.total_count / info.per_page)
        // Nothing adds up to nothing.
        if (holds && info.total_count === 0) continue
        const saw = `${items(reply).length} ${kind} on page ${page}, result_info ${quoted(info)}`
        verify(clause, { holds, saw }, reply)
      }
    }
  }
})
