import { check } from 'plimsoll'
import type { Kind } from '../_detections.ts'
import { isBesideThePoint } from '../_reply.ts'
import { seeds, shown } from '../_seed.ts'

const clause = 'page-protection.list.per-page'
const perPage = 3
const pages = 3

export default check({
  title: 'No page holds more items than asked for, and the pages together hold each item once',
  clauses: [clause],
  needs: ['management', 'zone', 'detections'],
  async run({ management, adapter, random, verify }) {
    const zone = await adapter.zone('enterprise')
    for (const kind of ['scripts', 'connections', 'cookies'] as Kind[]) {
      const count = perPage * (pages - 1) + 1
      const placed = seeds(kind, 'active', { count, random })
      await adapter.detections(zone.id, { [kind]: placed })
      const ask = (page: number) =>
        management.get(`/zones/${zone.id}/page_shield/${kind}`, {
          query: { page, per_page: perPage }
        })
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
      verify(clause, { holds, saw }, ...replies)
    }
  }
})
