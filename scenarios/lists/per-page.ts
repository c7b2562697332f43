import { check } from 'plimsoll'
import { pagedLists, perPage } from '../_paged.ts'
import { isBesideThePoint } from '../_reply.ts'
import { shown } from '../_seed.ts'

const clause = 'page-protection.list.per-page'

export default check({
  title: 'No page holds more items than asked for, and the pages together hold each item once',
  clauses: [clause],
  needs: ['management', 'zone', 'detections'],
  async run(context) {
    for (const { kind, placed, ask } of await pagedLists(context)) {
      const replies = [await ask(1), await ask(2), await ask(3)] as const
      if (replies.some(isBesideThePoint)) continue
      const shownOnPages = replies.map((reply) => shown(reply, placed))
      const all = shownOnPages.flat()
      const holds =
        shownOnPages.every((page) => page.length <= perPage) &&
        all.length === placed.length &&
        placed.every((seed) => all.includes(seed))
      const lengths = shownOnPages.map((page) => page.length).join(' + ')
      const different = new Set(all).size
      const saw = `${kind}: ${lengths} items, ${different} different, of ${placed.length}`
      context.verify(clause, { holds, saw }, ...replies)
    }
  }
})
