import { check } from 'plimsoll'
import type { Kind } from '../_detections.ts'
import { isBesideThePoint, quoted } from '../_reply.ts'
import { seeds, shown } from '../_seed.ts'

const clause = 'page-protection.list.page-1-based'
const perPage = 3
const pages = 3

export default check({
  title: 'Pages are counted from 1: the first one is where a list begins, the last one has items',
  clauses: [clause],
  needs: ['management', 'zone', 'detections'],
  async run({ management, adapter, random, verify }) {
    const zone = await adapter.zone('enterprise')
    for (const kind of ['scripts', 'connections', 'cookies'] as Kind[]) {
      const count = perPage * (pages - 1) + 1
      const placed = seeds(kind, 'active', { count, random })
      await adapter.detections(zone.id, { [kind]: placed })
      const ask = (page?: number) =>
        management.get(`/zones/${zone.id}/page_shield/${kind}`, {
          query: { page, per_page: perPage }
        })
      const replies = [await ask(), await ask(1), await ask(pages)] as const
      if (replies.some(isBesideThePoint)) continue
      const [unnamed, first, last] = replies.map((reply) =>
        shown(reply, placed).map((seed) => seed?.id)
      )
      // Where `per_page` is not kept to, nobody knows which page is the last.
      const isLast = first!.length !== perPage || last!.length > 0
      const holds = first!.length > 0 && quoted(first) === quoted(unnamed) && isLast
      const saw = `${kind}: ${[unnamed, first, last].map((ids) => ids!.length).join(', ')} items`
      verify(
        clause,
        { holds, saw: `${saw} without a page, on page 1, on page ${pages}` },
        ...replies
      )
    }
  }
})
