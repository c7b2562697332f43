import { check, generated } from 'plimsoll'
import { isBesideThePoint, quoted } from '../_reply.ts'
import { shown } from '../_seed.ts'
import { kinds, listings, queryOf, worded } from './_listing.ts'

const clause = 'page-protection.list.page-1-based'

export default check({
  title: 'Pages are counted from 1: the first one is where a list begins, the last one has items',
  clauses: [clause],
  needs: ['management', 'zone', 'detections'],
  async run(context) {
    for (const { kind, placed, meant, page } of await listings(context, kinds)) {
      const found = await generated(context, {
        of: (any) => queryOf(any, kind),
        budget: { quick: 8, full: 80 },
        async ask(query) {
          const pages = Math.ceil(meant(query).length / query.per_page)
          const replies = [
            await page(query),
            await page({ ...query, page: 1 }),
            await page({ ...query, page: pages })
          ] as const
          if (pages === 0 || replies.some(isBesideThePoint)) return undefined
          const ids = replies.map((reply) => shown(reply, placed).flatMap((seed) => seed?.id ?? []))
          const [unnamed, first, last] = ids as [string[], string[], string[]]
          // Where `per_page` is not kept to, nobody knows which page is the last.
          const isLast = first.length !== query.per_page || last.length > 0
          const holds = first.length > 0 && quoted(first) === quoted(unnamed) && isLast
          const items = `${unnamed.length} items, on page 1 ${first.length}`
          const saw = `without a page ${items}, on page ${pages} ${last.length}`
          return { asked: worded(kind, query), holds, saw, reply: replies[1] }
        }
      })
      if (found) context.verify(clause, ...found)
    }
  }
})
