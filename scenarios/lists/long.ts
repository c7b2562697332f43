import { check, type Look, summary } from 'plimsoll'
import { isBesideThePoint, isList, items } from '../_reply.ts'
import { hosts, type Seed, seeds } from '../_seed.ts'

const clause = 'page-protection.list.per-page'
const perPage = 50
/** No page is counted on to be smaller, since nobody has to ask for hundreds. */
const leastPerPage = 5

export default check({
  title: 'A list of a thousand items has each of them once, on however many pages',
  clauses: [clause],
  needs: ['management', 'zone', 'detections'],
  async run({ management, adapter, random, verify }) {
    const [zone, other] = [await adapter.zone('enterprise'), await adapter.zone('enterprise')]
    const placed: Seed[] = []
    // What belongs to another zone, or is not shown, lies between what is.
    for (const [count, status] of [
      [430, 'active'],
      [170, 'infrequent'],
      [590, 'active']
    ] as const) {
      const scripts = seeds('scripts', status, { count, random })
      await adapter.detections(zone.id, { scripts })
      await adapter.detections(other.id, {
        scripts: seeds('scripts', 'active', { count: 60, random })
      })
      placed.push(...scripts)
    }
    const looks: Look[] = []
    for (const host of [undefined, hosts[1]]) {
      const due = placed.filter(
        (seed) => seed.status === 'active' && (host ?? seed.host) === seed.host
      )
      const path = `/zones/${zone.id}/page_shield/scripts`
      const ask = (page: number) =>
        management.get(path, { query: { page, per_page: perPage, ...(host && { hosts: host }) } })
      const first = await ask(1)
      // The largest size of a page is not said: who asks for more may get as many as there are.
      const size = Math.max(leastPerPage, Math.min(perPage, items(first).length))
      const pages = Math.ceil(due.length / size)
      const numbers = Array.from({ length: pages - 1 }, (_, at) => at + 2)
      const replies = [first, ...(await Promise.all(numbers.map(ask)))]
      // A list that has no pages of this size is the matter of others.
      if (replies.some((reply) => isBesideThePoint(reply) || !isList(reply))) continue
      const shown = replies.flatMap(items).map(({ url }) => url)
      const known = new Set(due.map((seed) => ('url' in seed ? seed.url : '')))
      const odd = replies.findIndex((reply) => items(reply).length > perPage)
      const different = new Set(shown.filter((url) => known.has(url))).size
      const saw = `${shown.length} items, ${different} of the ${due.length} that were placed`
      const holds = odd < 0 && shown.length === due.length && different === due.length
      const asked = host ? `pages of ${host}` : 'all pages'
      looks.push({ asked, holds, saw, reply: replies[Math.max(0, odd)]! })
    }
    const found = summary(looks)
    if (found) verify(clause, ...found)
  }
})
