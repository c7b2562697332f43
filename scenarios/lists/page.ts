import { check } from 'plimsoll'
import { pagedLists, pages, perPage } from '../_paged.ts'
import { isBesideThePoint, quoted } from '../_reply.ts'
import { shown } from '../_seed.ts'

const clause = 'page-protection.list.page-1-based'

export default check({
  title: 'Pages are counted from 1: the first one is where a list begins, the last one has items',
  clauses: [clause],
  needs: ['management', 'zone', 'detections'],
  async run(context) {
    for (const { kind, placed, ask } of await pagedLists(context)) {
      const replies = [await ask(), await ask(1), await ask(pages)] as const
      if (replies.some(isBesideThePoint)) continue
      const ids = replies.map((reply) => shown(reply, placed).flatMap((seed) => seed?.id ?? []))
      const [unnamed, first, last] = ids as [string[], string[], string[]]
      // Where `per_page` is not kept to, nobody knows which page is the last.
      const isLast = first.length !== perPage || last.length > 0
      const holds = first.length > 0 && quoted(first) === quoted(unnamed) && isLast
      const items = `${unnamed.length}, on page 1 ${first.length}, on page ${pages} ${last.length}`
      context.verify(clause, { holds, saw: `${kind}: without a page ${items} items` }, ...replies)
    }
  }
})
