import { check, type Look, type Reply, summary } from 'plimsoll'
import type { Kind } from '../_detections.ts'
import { type Item, isBesideThePoint, isList, isTurnedDown, items } from '../_reply.ts'
import { hosts, type Seed, seeds } from '../_seed.ts'

const [clause, counts] = ['page-protection.list.per-page', 'envelope.result-info.consistent']
/** How large a page may be is not said: these are asked for until one is served. */
const sizes = [1_000, 100, 50, 10]
/** No page is counted on to be smaller, since nobody has to ask for hundreds. */
const leastPerPage = 5

/** What is placed: what is not in a list lies between what is. */
const groups: readonly [kind: Kind, status: Seed['status'], count: number][] = [
  ['scripts', 'active', 430],
  ['connections', 'active', 110],
  ['scripts', 'infrequent', 40],
  ['cookies', 'active', 110],
  ['scripts', 'active', 590]
]

const nameOf = ({ url, name }: Item): string => url ?? name

type Ask = (page: number, perPage: number) => Promise<Reply>

/** The first page of a list, of the first of these sizes that is not refused. */
async function firstPage(ask: Ask, [size, ...others]: readonly number[]): Promise<[Reply, number]> {
  const reply = await ask(1, size!)
  return others.length > 0 && isTurnedDown(reply) ? firstPage(ask, others) : [reply, size!]
}

export default check({
  title: 'A list of a thousand items has each of them once, on however many pages, and counts them',
  clauses: [clause, counts],
  needs: ['management', 'zone', 'detections'],
  async run({ management, adapter, random, verify }) {
    const [zone, other] = [await adapter.zone('enterprise'), await adapter.zone('enterprise')]
    const placed: (Seed & { kind: Kind })[] = []
    for (const [kind, status, count] of groups) {
      const some = seeds(kind, status, { count, random })
      await adapter.detections(zone.id, { [kind]: some })
      await adapter.detections(other.id, { [kind]: seeds(kind, 'active', { count: 20, random }) })
      placed.push(...some.map((seed) => ({ ...seed, kind })))
    }
    const lists: [kind: Kind, sizes: readonly number[], hosts?: string][] = [
      ['scripts', sizes],
      ['scripts', [30 + Math.floor(random() * 15)], hosts[1]],
      ['connections', sizes.slice(1)],
      ['cookies', sizes.slice(1)]
    ]
    const looks: { [clause: string]: Look[] } = { [clause]: [], [counts]: [] }
    for (const [kind, sizes, host] of lists) {
      const isDue = (one: (typeof placed)[number]) =>
        one.kind === kind && one.status === 'active' && (host ?? one.host) === one.host
      const due = placed.filter(isDue)
      const path = `/zones/${zone.id}/page_shield/${kind}`
      const ask: Ask = (page, per_page) =>
        management.get(path, { query: { page, per_page, hosts: host } })
      const [first, perPage] = await firstPage(ask, sizes)
      // Who asks for more may get as many as there are on a page.
      const size = Math.max(leastPerPage, Math.min(perPage, items(first).length))
      const numbers = Array.from({ length: Math.ceil(due.length / size) - 1 }, (_, at) => at + 2)
      const replies = [first, ...(await Promise.all(numbers.map((page) => ask(page, perPage))))]
      // A list that has no pages of this size is the matter of others.
      if (replies.some((reply) => isBesideThePoint(reply) || !isList(reply))) continue
      const shown = replies.flatMap(items).map(nameOf)
      const known = new Set(due.map(nameOf))
      const odd = replies.findIndex((reply) => items(reply).length > perPage)
      const different = new Set(shown.filter((name) => known.has(name))).size
      const saw = `${shown.length} items, ${different} of the ${due.length} that were placed`
      const holds = odd < 0 && shown.length === due.length && different === due.length
      const asked = `all ${kind}${host ? ` of ${host}` : ''}, ${perPage} a page`
      looks[clause]!.push({ asked, holds, saw, reply: replies[Math.max(0, odd)]! })
      const count = first.json.result_info?.total_count
      const isCount = count === due.length
      looks[counts]!.push({ asked, holds: isCount, saw: `${count} of ${due.length}`, reply: first })
    }
    for (const [clause, some] of Object.entries(looks)) {
      const found = summary(some)
      if (found) verify(clause, ...found)
    }
  }
})
